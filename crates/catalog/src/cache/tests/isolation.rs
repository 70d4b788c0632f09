use super::*;

/// A small generator, so that every run does the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// Listings whose tool is named by the caller's own key, of changing size, with every fault.
fn answer(number: usize, key: &CallerKey, keys: &[CallerKey]) -> Answer {
    let owner = keys.iter().position(|other| other == key).unwrap();
    let mut answer = match number % 11 {
        3 => down(),
        5 => challenge(),
        7 => lists(&[]),
        _ => lists(&[
            &format!("owner_{owner}"),
            &format!("x{}", "y".repeat(number % 500)),
        ]),
    };
    answer.after = Duration::from_millis(u64::try_from(number % 7).unwrap() * 300);
    answer
}

/// Field case 87: under every kind of pressure, names stay with their owners.
#[tokio::test(start_paused = true)]
async fn names_never_cross_callers() {
    let callers: Vec<Caller> = (0..12).map(|owner| caller(&owner.to_string())).collect();
    let keys: Vec<CallerKey> = callers.iter().map(|caller| caller.key).collect();
    let rig = Arc::new(Rig::bounded(20_000, move |number, key| {
        answer(number, key, &keys)
    }));
    let mut tasks = Vec::new();
    for (owner, caller) in callers.into_iter().enumerate() {
        let rig = Arc::clone(&rig);
        tasks.push(tokio::spawn(async move {
            let mut dice = Dice(u64::try_from(owner).unwrap() + 1);
            let mut seen = 0;
            for _ in 0..300 {
                let wait = Duration::from_millis(dice.roll(2_000));
                let result = match dice.roll(10) {
                    0 => rig.catalogs.refresh_now(&caller, wait).await,
                    1 => rig.catalogs.peek(&caller.key).ok_or(Missing::Loading),
                    _ => rig.catalogs.get(&caller, wait).await,
                };
                if let Ok(view) = result {
                    let own = format!("owner_{owner}");
                    seen += usize::from(view.catalog.get(&own).is_some());
                    for name in names(&view) {
                        assert!(name == own || name.starts_with('x'), "{owner} sees {name}");
                    }
                }
                pass(Duration::from_millis(dice.roll(200_000))).await;
            }
            seen
        }));
    }
    for task in tasks {
        assert!(task.await.unwrap() > 50);
    }
}
