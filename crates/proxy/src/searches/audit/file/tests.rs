use super::*;

fn mode(path: &Path) -> u32 {
    fs_err::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn full_files_are_put_aside_and_the_oldest_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.log");
    let mut file = RotatedFile::open(path.clone(), 10).unwrap();
    for number in 0..30 {
        file.append(format!("{number:04}").as_bytes()).unwrap();
    }
    let read = |path: &Path| fs_err::read_to_string(path).unwrap();
    assert_eq!(read(&path), "0028\n0029\n");
    assert_eq!(read(&file.name(1)), "0026\n0027\n");
    assert_eq!(read(&file.name(9)), "0010\n0011\n");
    assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 10);
    assert_eq!((mode(&path), mode(&file.name(9))), (0o600, 0o600));
    // What was there counts.
    let mut again = RotatedFile::open(path.clone(), 10).unwrap();
    again.append(b"longer than the limit").unwrap();
    assert_eq!(read(&path), "longer than the limit\n");
    assert_eq!(read(&file.name(1)), "0028\n0029\n");
}

fn files(file: &RotatedFile) -> Vec<(u32, String)> {
    let there = (0..=KEPT).filter(|number| file.name(*number).is_file());
    let read = |number| fs_err::read_to_string(file.name(number)).unwrap();
    there.map(|number| (number, read(number))).collect()
}

#[test]
fn what_was_put_aside_outlasts_a_file_that_cant_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = RotatedFile::open(folder.path().join("a.log"), 6).unwrap();
    for line in ["first", "second", "third"] {
        file.append(line.as_bytes()).unwrap();
    }
    file.put_aside().unwrap();
    file.current = None;
    fs_err::create_dir(&file.path).unwrap();
    let kept = files(&file);
    assert_eq!(kept.len(), 3);
    for _ in 0..=KEPT {
        file.append(b"lost").unwrap_err();
    }
    assert_eq!(files(&file), kept);
    fs_err::remove_dir(&file.path).unwrap();
    file.append(b"last").unwrap();
    let last = (0, "last\n".to_owned());
    assert_eq!(files(&file), [vec![last], kept].concat());
}

#[test]
fn what_was_put_aside_outlasts_a_name_that_cant_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = RotatedFile::open(folder.path().join("a.log"), 6).unwrap();
    for number in 1..=3 {
        fs_err::write(file.name(number), format!("{number}\n")).unwrap();
    }
    file.append(b"first").unwrap();
    // Nothing but the last takes this one's place.
    fs_err::create_dir(file.name(KEPT)).unwrap();
    for number in 4..KEPT {
        fs_err::write(file.name(number), format!("{number}\n")).unwrap();
    }
    let kept = files(&file);
    for _ in 0..=KEPT {
        file.append(b"lost").unwrap_err();
    }
    assert_eq!(files(&file), kept);
    fs_err::remove_dir(file.name(KEPT)).unwrap();
    fs_err::remove_file(file.name(5)).unwrap();
    file.append(b"last").unwrap();
    let names: Vec<String> = files(&file).into_iter().map(|(_, text)| text).collect();
    let expected = ["last", "first", "1", "2", "3", "4", "6", "7", "8"];
    assert_eq!(names, expected.map(|text| format!("{text}\n")));
}

#[test]
fn a_new_file_begins_with_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = RotatedFile::open(folder.path().join("a.log"), 6).unwrap();
    file.append(b"tor").unwrap();
    (file.current, file.is_torn) = (None, true);
    file.append(b"n").unwrap();
    (file.current, file.is_torn) = (None, true);
    file.append(b"whole").unwrap();
    let expected = [(0, "whole\n"), (1, "tor\n\nn\n")];
    assert_eq!(
        files(&file),
        expected.map(|(number, text)| (number, text.to_owned()))
    );
}

#[test]
fn what_somebody_moved_deleted_or_cut_takes_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = RotatedFile::open(folder.path().join("a.log"), 12).unwrap();
    let mut append = |line: &str| file.append(line.as_bytes()).unwrap();
    let path = folder.path().join("a.log");
    let read = || fs_err::read_to_string(&path).unwrap();
    assert_eq!(append("first"), Appended::InTurn);
    fs_err::remove_file(&path).unwrap();
    assert_eq!(append("second"), Appended::AnotherFile);
    assert_eq!(append("3"), Appended::InTurn);
    assert_eq!(read(), "second\n3\n");
    let moved = folder.path().join("moved");
    fs_err::rename(&path, &moved).unwrap();
    assert_eq!(append("fourth"), Appended::AnotherFile);
    assert_eq!(read(), "fourth\n");
    assert_eq!(fs_err::read_to_string(&moved).unwrap(), "second\n3\n");
    // Another file in its place is gone on with, and a directory in its place isn't used.
    fs_err::rename(&moved, &path).unwrap();
    assert_eq!(append("5"), Appended::AnotherFile);
    assert_eq!(read(), "second\n3\n5\n");
    fs_err::write(&path, "").unwrap();
    assert_eq!(append("sixth"), Appended::InTurn);
    assert_eq!(read(), "sixth\n");
    fs_err::remove_file(&path).unwrap();
    fs_err::create_dir(&path).unwrap();
    file.append(b"lost").unwrap_err();
    fs_err::remove_dir(&path).unwrap();
    assert_eq!(file.append(b"last").unwrap(), Appended::AnotherFile);
    assert_eq!(files(&file), [(0, "last\n".to_owned())]);
}

#[test]
fn a_pipe_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.log");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    let refused = RotatedFile::open(path.clone(), 10).unwrap_err();
    let expected = format!("{} isn't a plain file", path.display());
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn an_old_file_is_closed_to_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.log");
    fs_err::write(&path, "old\n").unwrap();
    fs_err::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    RotatedFile::open(path.clone(), 10).unwrap();
    assert_eq!(mode(&path), 0o600);
    let refused = RotatedFile::open(PathBuf::from("/dev/null"), 10).unwrap_err();
    assert!(
        refused.to_string().contains("isn't a plain file"),
        "{refused}"
    );
}
