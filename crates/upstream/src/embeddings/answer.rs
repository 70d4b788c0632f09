//! The vectors in an answer.

use serde::Deserialize;

use super::EmbeddingsError;

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    /// Which text's it is; by its place where it isn't said.
    index: Option<usize>,
    embedding: Vec<f64>,
}

/// The vectors in `body` in the order of the `texts` that were sent, if all are what they should be.
pub(super) fn read(
    body: &[u8],
    texts: usize,
    dimensions: usize,
) -> Result<Vec<Vec<f32>>, EmbeddingsError> {
    let Answer { data } = serde_json::from_slice(body).map_err(|error| {
        // Its words may quote the body.
        let place = format!("line {}, column {}", error.line(), error.column());
        EmbeddingsError::Malformed {
            reason: format!("it holds no list of vectors as OpenAI's API has them ({place})"),
        }
    })?;
    if data.len() != texts {
        return Err(EmbeddingsError::Count {
            found: data.len(),
            wanted: texts,
        });
    }
    let mut vectors = vec![Vec::new(); texts];
    for (place, item) in data.into_iter().enumerate() {
        let Item { index, embedding } = item;
        if embedding.len() != dimensions {
            return Err(EmbeddingsError::Dimensions {
                found: embedding.len(),
                wanted: dimensions,
            });
        }
        let embedding = narrowed(&embedding);
        if !embedding.iter().all(|number| number.is_finite()) {
            return Err(EmbeddingsError::NotFinite);
        }
        match vectors.get_mut(index.unwrap_or(place)) {
            Some(vector) if vector.is_empty() => *vector = embedding,
            _ => return Err(EmbeddingsError::malformed("it numbers its vectors wrongly")),
        }
    }
    Ok(vectors)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "no model is that exact, and what is too large becomes infinite"
)]
fn narrowed(vector: &[f64]) -> Vec<f32> {
    vector.iter().map(|&number| number as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: Result<&[[f32; 2]], &str>) {
        let found = read(body.as_bytes(), 2, 2).map_err(|error| error.to_string());
        match (&found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{body}"),
            (Err(found), Err(part)) => assert!(found.contains(part), "{body}: {found}"),
            _ => panic!("{body}: {found:?}"),
        }
    }

    #[test]
    fn vectors_come_in_the_order_of_their_texts() {
        let ordered: &[[f32; 2]] = &[[1.0, 2.0], [3.0, -4.5]];
        check(
            r#"{"object":"list","data":[{"object":"embedding","index":1,"embedding":[3,-4.5]},
               {"index":0,"embedding":[1,2]}],"model":"m","usage":{"total_tokens":2}}"#,
            Ok(ordered),
        );
        check(
            r#"{"data":[{"embedding":[1e0,2.0]},{"embedding":[3,-45e-1]}]}"#,
            Ok(ordered),
        );
    }

    #[test]
    fn what_holds_no_vectors_says_what_it_is() {
        for (body, part) in [
            ("", "no list of vectors"),
            ("<html>canary", "no list of vectors"),
            (r#"{"error":{"message":"canary"}}"#, "no list of vectors"),
            (
                r#"{"data":[{"index":0,"embedding":"AACAPwAAAEA="}]}"#,
                "no list of vectors",
            ),
            (
                r#"{"data":[{"embedding":[NaN,1]},{"embedding":[1,1]}]}"#,
                "no list of vectors",
            ),
            (
                r#"{"data":[{"embedding":[null,1]},{"embedding":[1,1]}]}"#,
                "no list of vectors",
            ),
            (r#"{"data":[{"embedding":[1,1]}]}"#, "1 vectors to 2 texts"),
            (
                r#"{"data":[{"embedding":[1,1]},{"embedding":[1,1]},{"embedding":[1,1]}]}"#,
                "3 vectors to 2 texts",
            ),
            (
                r#"{"data":[{"embedding":[1,1]},{"embedding":[1]}]}"#,
                "have 1 dimensions, not 2",
            ),
            (
                r#"{"data":[{"embedding":[]},{"embedding":[]}]}"#,
                "have 0 dimensions",
            ),
            (
                r#"{"data":[{"embedding":[1e300,1]},{"embedding":[1,1]}]}"#,
                "aren't finite",
            ),
            (
                r#"{"data":[{"index":1,"embedding":[1,1]},{"index":1,"embedding":[1,1]}]}"#,
                "numbers its vectors wrongly",
            ),
            (
                r#"{"data":[{"index":0,"embedding":[1,1]},{"index":2,"embedding":[1,1]}]}"#,
                "numbers its vectors wrongly",
            ),
        ] {
            check(body, Err(part));
            let found = read(body.as_bytes(), 2, 2).unwrap_err();
            assert!(!found.with_causes().contains("canary"));
        }
    }
}
