//! Varied texts, the same ones in every run.

use unicode_normalization::UnicodeNormalization;

use crate::oracle;

/// `count` texts: plain and damaged phrases of every language in `data/phrases.tsv`, in turn.
pub(crate) fn strings(count: usize) -> Vec<String> {
    let mut random = Random {
        state: SEED,
        characters: oracle::characters(),
    };
    let phrases: Vec<Vec<&str>> = PHRASES
        .lines()
        .map(|line| line.split('\t').skip(1).collect())
        .collect();
    let edges = EDGES
        .iter()
        .map(|&text| text.to_owned())
        .chain(LONG.iter().map(|&(part, times)| part.repeat(times)));
    let composed = (0..).map(|index: usize| {
        let own = &phrases[index % phrases.len()];
        let other = &phrases[random.below(phrases.len())];
        let mut text = random.phrase(own);
        for _ in 0..random.below(4) {
            text = random.damage(&text, other);
        }
        text
    });
    edges.chain(composed).take(count).collect()
}

/// `SplitMix64`: small, and the same on every machine.
struct Random {
    state: u64,
    characters: Vec<char>,
}

impl Random {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A whole phrase, or some words of all of them in any order.
    fn phrase(&mut self, phrases: &[&str]) -> String {
        if self.below(4) == 0 {
            return self.pick(phrases).to_owned();
        }
        let words: Vec<&str> = phrases
            .iter()
            .flat_map(|phrase| phrase.split(' '))
            .collect();
        let chosen: Vec<&str> = (0..=self.below(10)).map(|_| self.pick(&words)).collect();
        chosen.join(" ")
    }

    fn damage(&mut self, text: &str, other: &[&str]) -> String {
        match self.below(14) {
            0 => text.to_uppercase(),
            1 => text.nfd().collect(),
            2 => text.nfkd().collect(),
            3 => text.replace(' ', self.pick(BLANKS)),
            4 => camel_case(text),
            5 => text
                .to_lowercase()
                .replace(' ', self.pick(&["_", "-", ".", "/", "::"])),
            6 => format!("{text} {}", self.phrase(other)),
            7 => format!("{}{text}", self.phrase(other)),
            8 => text.chars().rev().collect(),
            9 => text.chars().filter(|_| self.below(8) > 0).collect(),
            10 => self.scatter(text, |random| random.pick(SIGNS).to_owned()),
            11 => self.scatter(text, |random| random.pick(MARKS).to_owned()),
            12 => self.scatter(text, |random| random.letter().to_string()),
            _ => (0..=self.below(12))
                .map(|_| self.letter())
                .chain(text.chars())
                .collect(),
        }
    }

    /// Puts something made behind about every sixth character.
    fn scatter(&mut self, text: &str, make: fn(&mut Self) -> String) -> String {
        let mut scattered = String::new();
        for letter in text.chars() {
            scattered.push(letter);
            if self.below(6) == 0 {
                scattered += &make(self);
            }
        }
        scattered
    }

    fn letter(&mut self) -> char {
        let letter = self.below(self.characters.len());
        self.characters[letter]
    }
}

fn camel_case(text: &str) -> String {
    text.split(' ')
        .flat_map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .chain(letters)
        })
        .collect()
}

const PHRASES: &str = include_str!("../data/phrases.tsv");
const SEED: u64 = 20_261_130;

const EDGES: &[&str] = &[
    "",
    " ",
    "\t\r\n\u{b}\u{c}",
    "\u{0}",
    "\u{0}\u{1}\u{2}a\u{7f}\u{80}\u{9f}b",
    "\u{a0}\u{2003}\u{3000}\u{2028}\u{2029}",
    "\u{ad}",
    "\u{200d}",
    "\u{feff}text\u{fffd}",
    "▁",
    "▁▁word▁ ▁",
    "<unk>",
    "<unk> a <unk>b",
    "a",
    "é",
    "e\u{301}",
    "\u{301}",
    "\u{301}\u{301}a",
    "👍",
    "👩‍👩‍👧‍👦 family 🇱🇹 👍🏽",
    "1️⃣ 2⃣ ½ ⅷ ² ₃ ① ㈱ ㌀ ㎏ ﷺ ﬃ",
    "İIıi ẞß ǅ ΣΑΣ ΐ",
    "\u{1f00}\u{342} \u{1fb3} \u{1ffc}",
    "\u{202e}abc\u{202c} \u{2066}שלום\u{2069}",
    "مـــرحبا لا ﻻ",
    "กำ ทำ ແກ້ວ ຳ",
    "क्\u{200d}ष क्\u{200c}ष",
    "ᄒ\u{1161}\u{11ab}글 한글 \u{3131}\u{314f}",
    "ｆｕｌｌ　ｗｉｄｔｈ ｶﾞｷﾞ",
    "𝐛𝐨𝐥𝐝 𝓼𝓬𝓻𝓲𝓹𝓽 𝔽𝕣𝕒𝕜 𐌰𐌱𐌲 𓀀 𠀀𪜶",
    "getHTTPResponseCode2 snake_case_name kebab-case-name a.b.c::d/e\\f",
    "user@example.com https://example.com/a?b=c&d=%20 #tag $100.50 50% C++ C# .NET",
    "{\"key\": [1, 2.5e-3, null]}",
    "\u{e000}\u{f8ff}\u{10ffff}x\u{e0001}",
];

const LONG: &[(&str, usize)] = &[
    ("a", 5000),
    ("ąčę", 1000),
    ("删除文件", 800),
    ("xyzzy", 900),
    ("\u{e000}", 2000),
    ("\u{1f600}", 2000),
    ("e\u{301}\u{327}", 700),
    ("ก็ทำงานได้", 300),
    ("internationalization", 200),
    ("a ", 3000),
    (" ", 3000),
];

const BLANKS: &[&str] = &[
    "", "  ", "\u{a0}", "\u{3000}", "\t", "\n", "\u{200b}", "\u{200c}", "\u{200d}", "\u{ad}", "▁",
];
const SIGNS: &[&str] = &[
    "👍",
    "🏳️‍🌈",
    "🇯🇵",
    "\u{0}",
    "\u{1b}",
    "\u{fe0f}",
    "\u{200f}",
    "\u{202a}",
    "\u{200d}",
    "\u{ad}",
    "，",
    "。",
    "…",
    "’",
    "-",
    "_",
    "7",
    "٣",
    "५",
    "<",
    "€",
    "½",
    "№",
    "™",
];
const MARKS: &[&str] = &[
    "\u{300}", "\u{301}", "\u{307}", "\u{327}", "\u{328}", "\u{345}", "\u{5b4}", "\u{64e}",
    "\u{93c}", "\u{94d}", "\u{e49}", "\u{3099}", "\u{20e3}",
];
