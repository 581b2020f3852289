//! What comments say, in several languages, where code is left out.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// What is said in one language.
struct Words {
    /// What is left out.
    phrases: &'static [&'static str],
    /// A text with such a phrase is a placeholder where it has one of these, too, or dots.
    signs: &'static [&'static str],
    /// A text that says nothing else is a placeholder.
    alone: &'static [&'static str],
}

/// Dots are a sign in each language.
const DOTS: [&str; 3] = ["...", "…", "・・・"];

static LANGUAGES: [Words; 8] =
    [ENGLISH, CHINESE, SPANISH, FRENCH, GERMAN, PORTUGUESE, JAPANESE, RUSSIAN];

const ENGLISH: Words = Words {
    phrases: &[
        "existing code",
        "existing implementation",
        "existing content",
        "rest of ",
        "rest unchanged",
        "remaining code",
        "remainder of the",
        "code unchanged",
        "unchanged code",
        "code remains",
        "remains unchanged",
        "remains the same",
        "same as before",
        "for brevity",
        "other functions",
        "other methods",
        "existing functions",
        "existing methods",
        "remaining functions",
        "remaining methods",
    ],
    signs: &["unchanged", "the same", "omitted", " here", "as before", "as is"],
    alone: &[
        "same as above",
        "same as before",
        "unchanged",
        "unmodified",
        "existing code",
        "existing code here",
        "other code here",
        "previous code",
        "previous code here",
        "rest of code",
        "rest of the code",
        "rest of the file",
        "rest of file",
    ],
};

const CHINESE: Words = Words {
    phrases: &[
        "其余代码",
        "其他代码",
        "其它代码",
        "剩余代码",
        "现有代码",
        "原有代码",
        "之前的代码",
        "其余部分",
        "其他部分",
        "其余内容",
        "其他内容",
        "其他函数",
        "其他方法",
        "其餘程式碼",
        "其他程式碼",
        "現有程式碼",
        "其餘部分",
        "其餘內容",
    ],
    signs: &["不变", "不變", "省略", "相同", "一样", "一樣", "同上", "未修改", "未更改"],
    alone: &[
        "代码不变",
        "代码保持不变",
        "其余不变",
        "其他不变",
        "其余代码",
        "其他代码",
        "现有代码",
        "原有代码",
        "同上",
        "省略",
        "此处省略",
        "其余省略",
        "与之前相同",
        "和之前一样",
        "其餘不變",
        "其餘程式碼",
        "現有程式碼",
    ],
};

const SPANISH: Words = Words {
    phrases: &[
        "resto del código",
        "resto del archivo",
        "resto del documento",
        "resto del contenido",
        "resto de la función",
        "resto de la clase",
        "resto de las funciones",
        "resto de los métodos",
        "código existente",
        "código anterior",
        "código restante",
        "contenido existente",
    ],
    signs: &[
        "igual",
        "sin cambios",
        "sin modificar",
        "no cambia",
        "omitido",
        "como antes",
        " aquí",
    ],
    alone: &[
        "sin cambios",
        "igual que antes",
        "resto igual",
        "el resto igual",
        "el resto sin cambios",
        "resto del código",
        "el resto del código",
        "código existente",
        "código anterior",
    ],
};

const FRENCH: Words = Words {
    phrases: &[
        "reste du code",
        "reste du fichier",
        "reste du document",
        "reste du contenu",
        "reste de la fonction",
        "reste de la classe",
        "reste des fonctions",
        "reste des méthodes",
        "code existant",
        "code précédent",
        "contenu existant",
    ],
    signs: &[
        "inchangé",
        "identique",
        "sans changement",
        "sans modification",
        "ne change pas",
        "omis",
        "comme avant",
        " ici",
    ],
    alone: &[
        "inchangé",
        "sans changement",
        "identique à avant",
        "reste inchangé",
        "le reste inchangé",
        "le reste est inchangé",
        "le reste ne change pas",
        "reste du code",
        "le reste du code",
        "code existant",
    ],
};

const GERMAN: Words = Words {
    phrases: &[
        "rest des codes",
        "rest der datei",
        "rest der funktion",
        "rest der klasse",
        "rest des dokuments",
        "restlicher code",
        "restliche code",
        "restlicher inhalt",
        "bestehender code",
        "bestehende code",
        "vorhandener code",
        "übriger code",
        "übrige code",
    ],
    signs: &["unverändert", "bleibt", "gleich", "wie bisher", "wie zuvor", "ausgelassen", " hier"],
    alone: &[
        "unverändert",
        "wie bisher",
        "rest unverändert",
        "rest bleibt unverändert",
        "rest bleibt gleich",
        "der rest bleibt unverändert",
        "der rest bleibt gleich",
        "der rest wie bisher",
        "rest des codes",
        "rest der datei",
        "restlicher code",
        "bestehender code",
    ],
};

const PORTUGUESE: Words = Words {
    phrases: &[
        "restante do código",
        "resto do código",
        "restante do arquivo",
        "resto do arquivo",
        "resto do documento",
        "resto do conteúdo",
        "resto da função",
        "resto da classe",
        "código existente",
        "código anterior",
        "código restante",
        "conteúdo existente",
    ],
    signs: &[
        "inalterado",
        "sem alterações",
        "sem mudanças",
        "igual",
        "o mesmo",
        "omitido",
        "como antes",
        " aqui",
    ],
    alone: &[
        "inalterado",
        "sem alterações",
        "igual ao anterior",
        "o resto permanece igual",
        "o resto continua igual",
        "restante do código",
        "o restante do código",
        "resto do código",
        "o resto do código",
        "código existente",
    ],
};

const JAPANESE: Words = Words {
    phrases: &[
        "残りのコード",
        "既存のコード",
        "他のコード",
        "以前のコード",
        "残りの部分",
        "残りの処理",
        "残りの内容",
        "既存の処理",
        "既存の内容",
        "他の関数",
        "他のメソッド",
    ],
    signs: &["変更なし", "変更ありません", "同じ", "同様", "省略", "そのまま"],
    alone: &[
        "省略",
        "以下省略",
        "以下略",
        "中略",
        "以下同様",
        "変更なし",
        "残りは同じ",
        "残りは変更なし",
        "残りのコード",
        "既存のコード",
    ],
};

const RUSSIAN: Words = Words {
    phrases: &[
        "остальной код",
        "остальная часть",
        "остальное содержимое",
        "остальные функции",
        "остальные методы",
        "оставшийся код",
        "существующий код",
        "предыдущий код",
        "прежний код",
    ],
    signs: &[
        "без изменений",
        "не изменился",
        "не меняется",
        "остается",
        "остаётся",
        "остаются",
        "как раньше",
        "опущен",
        " здесь",
    ],
    alone: &[
        "без изменений",
        "остальное без изменений",
        "остальной код",
        "оставшийся код",
        "существующий код",
        "как раньше",
    ],
};

/// All phrases and signs, searched for at once.
struct Search {
    words: AhoCorasick,
    /// The language of each, and whether it is a phrase.
    kinds: Vec<(usize, bool)>,
}

static SEARCH: LazyLock<Option<Search>> = LazyLock::new(|| {
    let of = |(at, words): (usize, &Words)| {
        let phrases = words.phrases.iter().map(move |it| (*it, (at, true)));
        phrases.chain(words.signs.iter().map(move |it| (*it, (at, false))))
    };
    let (all, kinds): (Vec<&str>, Vec<_>) = LANGUAGES.iter().enumerate().flat_map(of).unzip();
    Some(Search { words: AhoCorasick::new(all).ok()?, kinds })
});

/// Whether a text in lower case says that something is left out.
pub(super) fn say(text: &str) -> bool {
    let alone = text.trim_matches(|char: char| !char.is_alphanumeric());
    let is_alone = || LANGUAGES.iter().any(|it| it.alone.contains(&alone));
    has_phrase(text) || is_alone()
}

/// Whether a text has a phrase and a sign of one language, or dots.
fn has_phrase(text: &str) -> bool {
    let Some(search) = &*SEARCH else { return false };
    let (mut phrases, mut signs) = (0_u32, 0_u32);
    for found in search.words.find_overlapping_iter(text) {
        let (language, is_phrase) = search.kinds[found.pattern().as_usize()];
        let seen = if is_phrase { &mut phrases } else { &mut signs };
        *seen |= 1 << language;
    }
    phrases & signs != 0 || phrases != 0 && DOTS.iter().any(|dots| text.contains(dots))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_lower_case_and_searched_for() {
        assert!(SEARCH.is_some());
        for words in &LANGUAGES {
            for word in [words.phrases, words.signs, words.alone].concat() {
                assert_eq!(word.to_lowercase(), word);
            }
            assert!(words.alone.iter().all(|text| say(text)));
            assert!(say(&format!("... {} ", words.phrases[0])));
            assert!(say(&format!("{} {}", words.phrases[0], words.signs[0])));
            assert!(!say(&format!("{} foo", words.phrases[0])));
        }
        assert!(!say("其余代码 inchangé"));
    }
}
