//! The files of the journal: damaged, of processes that live, of other stacks.

use std::fs;
use std::time::Duration;

use provider::cloud::{CloudControl, CreateFailure};
use provider::journal::{Entry, Journal, Place};

use super::{HOUR, create, desired, files, folder, is_kept, killed};
use crate::script::{Stage, URN, operation};

#[tokio::test(start_paused = true)]
async fn what_could_not_be_written_is_not_promised() {
    let home = folder();
    let file = home.path().join("file");
    fs::write(&file, "no folder").unwrap();
    for (folder, kept) in [(home.path().join("folder"), true), (file.clone(), false), (file.join("below"), false)] {
        let stage = Stage::with_journal("create IN_PROGRESS\nstatus !AccessDeniedException", &folder);
        match stage.client.create(&operation(HOUR), &desired()).await {
            Err(CreateFailure::Nothing(error)) => assert_eq!(error.kept, kept, "{folder:?}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(stage.journal().picks_up(URN), kept);
    }
}

#[test]
fn a_clock_that_was_set_back_does_not_bring_old_entries_back() {
    let folder = folder();
    let at = |clock: fn() -> Duration| Journal::open(Some(folder.path().to_owned()), &Place::default(), clock);
    let entry = |token: &str| Entry::new(URN, "AWS::SQS::Queue", token, "{}", 1000);
    at(|| Duration::from_secs(1000)).begin(entry("first"));
    at(|| Duration::from_secs(500)).begin(entry("second"));
    let found = at(|| Duration::from_secs(501)).unfinished(URN).map(|entry| entry.client_token);
    assert_eq!(found.as_deref(), Some("second"));
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_cannot_be_used_is_none() {
    let home = folder();
    let file = home.path().join("file");
    fs::write(&file, "no folder").unwrap();
    for folder in [file.join("below"), file.clone()] {
        let stage = Stage::with_journal("create IN_PROGRESS@q-1\nstatus SUCCESS\nget {}\ndelete SUCCESS", &folder);
        assert_eq!(create(&stage, &desired()).await, "created q-1");
        stage.journal().settle(URN, "q-1");
        stage.client.delete(&operation(HOUR), "q-1").await.unwrap();
        assert!(stage.notices().is_empty(), "{:?}", stage.notices());
        stage.calls();
    }
    // Files that are damaged, of another version, or of somebody else.
    for text in ["", "{", "null", "{\"format\":2}", "\u{0}\u{1}", &"[".repeat(60_000), &"x".repeat(100_000)] {
        let folder = folder();
        killed("create IN_PROGRESS\nstatus ...", folder.path()).await;
        let entry = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        fs::write(&entry, text).unwrap();
        let stage = Stage::with_journal("create SUCCESS@q-1\nget {}", folder.path());
        stage.journal().settle(URN, "q-1");
        assert_eq!(create(&stage, &desired()).await, "created q-1");
        assert!(stage.notices().is_empty(), "{:?}", stage.notices());
        // And it works again.
        stage.journal().settle(URN, "q-1");
        assert_eq!(files(folder.path()), 0);
    }
    // A line that was cut off costs that line alone.
    let folder = folder();
    let tokens = killed("create IN_PROGRESS\nstatus ...", folder.path()).await;
    let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() - 9]).unwrap();
    let stage = Stage::with_journal("create SUCCESS@q-1\nget {}", folder.path());
    assert_eq!(create(&stage, &desired()).await, "created q-1");
    assert_eq!(stage.client_tokens(), tokens);
}

#[tokio::test(start_paused = true)]
async fn two_processes_do_not_lose_each_others_entries() {
    let folder = folder();
    // The engine was killed; its provider lives on for a while.
    let orphan =
        Stage::with_journal("create IN_PROGRESS\nstatus IN_PROGRESS+60\nstatus SUCCESS@q-1\nget {}", folder.path());
    let next = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        let next = Stage::with_journal("create IN_PROGRESS\nstatus SUCCESS@q-1\nget {}", folder.path());
        assert_eq!(create(&next, &desired()).await, "created q-1");
        next
    };
    let wanted = desired();
    let (of_orphan, next) = tokio::join!(create(&orphan, &wanted), next);
    assert_eq!(of_orphan, "created q-1");
    assert_eq!(orphan.client_tokens(), next.client_tokens());
    // The run ends as it should; the orphan's file does not bring the entry back, neither while it lives nor afterwards.
    next.journal().settle(URN, "q-1");
    next.journal().settle_answered();
    assert!(!is_kept(folder.path()));
    drop(next);
    assert!(!is_kept(folder.path()));
    drop(orphan);
    assert!(!is_kept(folder.path()));
}

#[tokio::test(start_paused = true)]
async fn two_stacks_of_one_name_do_not_take_each_others_resources() {
    const MADE: &str = "create SUCCESS@q-2\nget {}";
    for (theirs, ours, picked_up) in [
        (Some("one"), Some("one"), true),
        // Two backends, which differ in nothing that the environment tells.
        (Some("one"), Some("two"), false),
        // Engines that do not tell the id.
        (None, Some("two"), true),
        (Some("one"), None, true),
    ] {
        let folder = folder();
        let first = Stage::of_stack("create IN_PROGRESS@q-1\nstatus ...", folder.path(), theirs);
        let ended = tokio::time::timeout(Duration::from_secs(300), create(&first, &desired())).await;
        assert!(ended.is_err());
        let token = first.client_tokens()[0].clone();
        drop(first);

        let other = Stage::of_stack(MADE, folder.path(), ours);
        assert_eq!(create(&other, &desired()).await, "created q-2");
        assert_eq!(other.client_tokens() == [token.clone()], picked_up, "{theirs:?} {ours:?}");
        if picked_up {
            continue;
        }
        let told = other.notices();
        assert!(told[0].contains("under another provider resource: request token r-1, identifier q-1"), "{told:?}");
        // It is named, and not as one that the next run of this stack would pick up.
        let entry = other.journal().of_another(URN).unwrap();
        assert!(other.journal().is_of_another(&entry) && other.journal().unfinished(URN).is_none());
        // Neither its success nor its end takes away what the first stack needs.
        other.journal().settle(URN, "q-1");
        other.journal().settle_answered();
        drop(other);
        let again = Stage::of_stack("create SUCCESS@q-1\nget {}", folder.path(), theirs);
        assert_eq!(create(&again, &desired()).await, "created q-1");
        assert_eq!(again.client_tokens(), [token]);
        again.journal().settle_answered();
        assert_eq!(files(folder.path()), 0);
    }
}
