//! Reads results files back.

use crate::support::TestDir;
use skirmish::output::html::{Chapter, page};
use skirmish::output::sheet::{
    Column, DISTRIBUTIONS, Record, SUMMARY, Sheet, SheetError, distinct,
};
use skirmish::task::{Compare, Context, Files, Measure, Question, Source as _, Task};

const ROW: &str = "duel,base,win_rate,heroes,heroes,7,0.5,0.25,0.75,";

fn head(columns: &[Column]) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
    names.join(",")
}

fn read(rows: &[&str]) -> Result<Sheet, SheetError> {
    let content = format!(
        "{}\n{}\n",
        head(&DISTRIBUTIONS.columns[..10]),
        rows.join("\n")
    );
    Sheet::read(&DISTRIBUTIONS, content.as_bytes())
}

#[test]
fn cells_are_texts_or_numbers() {
    let sheet = read(&[ROW, "duel,base,rounds,encounter,3,1,0.1250,,,1"]).unwrap();
    let rows: Vec<Record<'_>> = sheet.rows().collect();
    assert_eq!(rows[1].cell(Column::Probability), "0.125");
    assert_eq!(rows[1].number(Column::Probability), Some(0.125));
    assert_eq!(rows[0].number(Column::Value), None);
    assert_eq!(rows[0].interval().map(|interval| interval.high), Some(0.75));
    assert_eq!(rows[1].interval(), None);
    assert_eq!(
        distinct(sheet.rows(), Column::Metric),
        ["win_rate", "rounds"]
    );
}

#[test]
fn what_is_no_such_file_is_refused() {
    for columns in [&DISTRIBUTIONS.columns[..10], &SUMMARY.columns[..17]] {
        let wrong = Sheet::read(&SUMMARY, head(columns).as_bytes());
        assert!(matches!(wrong, Err(SheetError::Columns { .. })));
    }
    for cell in [
        "many",
        "NaN",
        "inf",
        "1e308",
        "-1e16",
        "9223372036854775808",
    ] {
        let row = ROW.replace(",7,", &format!(",{cell},"));
        let wrong = read(&[ROW, &row]).unwrap_err().to_string();
        assert_eq!(
            wrong,
            format!("distributions.csv, line 3: `{cell}` is no number that `count` could hold")
        );
    }
    assert!(matches!(
        read(&["too,few"]),
        Err(SheetError::Unreadable { .. })
    ));
}

#[test]
fn a_page_of_fresh_results_is_the_page_of_their_files() {
    let variant = Vec::new;
    let measure = || Measure {
        variant: "base".to_owned(),
        metric: Vec::new(),
        side: None,
        combatant: None,
        outcome: None,
    };
    let questions = [
        Question::Run { variant: variant() },
        Question::Compare(Compare {
            baseline: "base".to_owned(),
            variant: variant(),
            metric: Vec::new(),
        }),
        Question::Sweep {
            vary: vec!["combatants.monster.armor=4..6".to_owned()],
            threshold: None,
            measure: measure(),
        },
        Question::Sensitivity(measure()),
        Question::Knockout(measure()),
    ];
    let questions = questions
        .into_iter()
        .map(|question| (question, include_str!("../check/duel.toml")));
    let matchup = Question::Matchup {
        variant: "base".to_owned(),
    };
    let dir = TestDir::empty();
    let file = dir.path("-duel.toml");
    // Names that a spreadsheet would take for formulas are marked in the files, but not on the page.
    for (question, text) in questions.chain([(matchup, crate::matchup::THREE)]) {
        let text = text
            .replace("\"simple round\"", "\"=simple\"")
            .replace("\"shield\"", "\"=shield\"");
        std::fs::write(&file, text).unwrap();
        let task = Task::new(question, 50.try_into().unwrap());
        let prepared = task
            .prepare(vec![Files.input(&file, &[]).unwrap()])
            .unwrap();
        let results = prepared.results(prepared.play(&Context::new(&Files)).unwrap());
        let fresh = results.chapter(&prepared, String::new());
        let read = Chapter::read(&results.files().unwrap()).unwrap();
        let read = Chapter {
            run: read.run,
            parts: read.parts,
            ..fresh.clone()
        };
        assert_eq!(
            page(&[fresh]).html().as_str(),
            page(&[read]).html().as_str()
        );
    }
}
