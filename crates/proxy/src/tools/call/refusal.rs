//! What a model reads when its call isn't sent, or is refused at once: what is wrong, where, and one
//! call that would be right.

use std::fmt::Write;
use std::time::Duration;

use catalog::{ArgumentProblem, CatalogView, Tool};
use wire::{ErrorView, MAX_NESTING};

use super::example::{call_of, call_with, form_of};
use super::shape::{Asked, Unfit, Unreadable};
use crate::tools::text::{quoted, schema_of, shorten, wait};
use crate::tools::{MetaTool, Outcome, ToolReply};

pub(super) fn unreadable(problem: &Unreadable) -> ToolReply {
    ToolReply::refused(&format!(
        "Nothing was run: {}. Send {{\"name\": \"exact_name_of_the_tool\", \"arguments\": {{…}}}}; \
         search_tools gives the names and what arguments they take.",
        problem.0
    ))
}

/// A dispatcher was to call a dispatcher, or another of the five.
pub(super) fn call_directly(meta_tool: MetaTool, asked: &Asked) -> ToolReply {
    let name = meta_tool.name();
    let arguments = asked
        .given()
        .filter(|given| given.get().len() <= ECHO_BYTES)
        .map(|given| format!(", with {}", given.get()))
        .unwrap_or_default();
    ToolReply::refused(&format!(
        "Nothing was run: `{name}` can't be called through another tool. Call it directly{arguments}."
    ))
}

pub(super) fn wrong_dispatcher(dispatcher: MetaTool, tool: &Tool) -> ToolReply {
    let (name, dispatcher) = (quoted(tool.name()), dispatcher.name());
    ToolReply::error(
        Outcome::WrongDispatcher,
        &format!(
            "Nothing was run: {name} may change something and {dispatcher} only reads. If the user \
             wants that, use call_write_tool with the same name and arguments."
        ),
    )
}

pub(super) fn too_deep(tool: &Tool) -> ToolReply {
    ToolReply::refused(&format!(
        "{} wasn't run: its arguments are nested deeper than {MAX_NESTING} levels.",
        quoted(tool.name())
    ))
}

pub(super) fn unknown(name: &str, view: &CatalogView) -> ToolReply {
    let mut text = format!(
        "Nothing was run: there is no tool called {}{}.",
        quoted(name),
        as_listed(view.age)
    );
    let near = view.catalog.near(name, NEAR);
    if near.is_empty() {
        text.push_str(" Find the right one with search_tools.");
    } else {
        text.push_str(" The closest names, if one of them is meant:");
    }
    for tool in near {
        let (name, call) = (quoted(tool.name()), MetaTool::that_calls(&tool).name());
        push(
            &mut text,
            format_args!("\n- {name}, for {call}. {}", schema_of(&tool)),
        );
    }
    ToolReply::error(Outcome::UnknownTool, &text)
}

/// How old the list is, unless it was just renewed: a tool that is new upstream may be missing.
fn as_listed(age: Duration) -> String {
    if age < JUST_RENEWED {
        return String::new();
    }
    let whole_seconds = Duration::from_secs(age.as_secs());
    format!(", as listed {} ago", wait(whole_seconds))
}

pub(super) fn unfit(tool: &Tool, unfit: &Unfit) -> ToolReply {
    let name = quoted(tool.name());
    let mut text = match unfit {
        Unfit::Problems(problems) => {
            format!(
                "{name} wasn't run: its arguments don't fit.{}",
                list(problems)
            )
        }
        Unfit::Misplaced(Some(arguments)) => format!(
            "{name} wasn't run: its arguments belong in `arguments`, beside `name`. If you mean \
             this call, send: {}",
            call_with(tool, arguments)
        ),
        Unfit::Misplaced(None) => format!(
            "{name} wasn't run: its arguments belong in `arguments`, beside `name`, all in one \
             object and each once: {}",
            form_of(tool)
        ),
    };
    if matches!(unfit, Unfit::Problems(_)) {
        push(
            &mut text,
            format_args!("\nA call has this form: {}", call_of(tool)),
        );
    }
    push(&mut text, format_args!("\n{}", schema_of(tool)));
    ToolReply::refused(&text)
}

/// The upstream's own words, and the schema once.
pub(super) fn invalid_params(tool: &Tool, error: &ErrorView<'_>) -> ToolReply {
    let mut text = format!(
        "The upstream refused the call of {} as invalid params ({}). It says: {}",
        quoted(tool.name()),
        error.code,
        error.message
    );
    if let Some(data) = error.data.filter(|data| data.get().len() <= ECHO_BYTES) {
        push(&mut text, format_args!("\nDetails: {}", data.get()));
    }
    push(&mut text, format_args!("\n{}", schema_of(tool)));
    ToolReply::error(Outcome::RpcError, &text)
}

fn list(problems: &[ArgumentProblem]) -> String {
    let mut text = String::new();
    for problem in problems.iter().take(PROBLEMS) {
        let message = shorten(&problem.message, PROBLEM_CHARS);
        match problem.pointer.as_str() {
            "" => push(&mut text, format_args!("\n- {message}")),
            pointer => push(&mut text, format_args!("\n- {pointer}: {message}")),
        }
    }
    let more = problems.len().saturating_sub(PROBLEMS);
    if more > 0 {
        push(&mut text, format_args!("\n- and {more} more"));
    }
    text
}

#[expect(clippy::expect_used, reason = "writing to a String never fails")]
fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more)
        .expect("writing to a String never fails");
}

/// A younger list isn't worth a word on its age.
const JUST_RENEWED: Duration = Duration::from_secs(2);
/// How many close names come with an answer, each with its schema.
const NEAR: usize = 3;
const PROBLEMS: usize = 10;
const PROBLEM_CHARS: usize = 500;
/// How much JSON of the caller's or the upstream's is repeated.
const ECHO_BYTES: usize = 4_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_says_its_age_unless_it_is_new() {
        let texts = [0, 1_999, 3_900, 300_000].map(|ms| as_listed(Duration::from_millis(ms)));
        assert_eq!(
            texts,
            ["", "", ", as listed 3 s ago", ", as listed 5 min ago"]
        );
    }
}
