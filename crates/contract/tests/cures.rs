//! The page of cures has a section for each diagnosis, and a cure in its first line.

use thusfar_contract::Diagnosis;

const PAGE: &str = include_str!("../../../docs/cures.md");

#[test]
fn each_diagnosis_has_its_section_in_order() {
    let headings: Vec<_> = PAGE.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let names: Vec<_> = Diagnosis::ALL.iter().map(|diagnosis| diagnosis.as_str()).collect();
    assert_eq!(headings, names);
}

#[test]
fn each_section_begins_with_its_cure() {
    let sections: Vec<_> = PAGE.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), Diagnosis::ALL.len());
    for section in sections {
        let mut lines = section.lines().skip(1).filter(|line| !line.is_empty());
        let cure = lines.next().and_then(|line| line.strip_prefix("**")?.strip_suffix(".**"));
        let name = section.lines().next().unwrap_or_default();
        let diagnosis = Diagnosis::ALL.into_iter().find(|diagnosis| diagnosis.as_str() == name);
        assert_eq!(diagnosis.map(Diagnosis::cure), cure.map(|cure| format!("{cure}.")).as_deref(), "{name}");
        assert!(cure.is_some_and(|cure| cure.len() > 40 && !cure.contains("**")), "{section}");
        assert!(lines.next().is_some(), "{section}");
    }
}
