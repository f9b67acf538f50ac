//! The second thread: stores batches, several in one commit when they come quickly, and lets time pass
//! for the flock in between.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bellwether_flock::{EventType, Harvest, Keeper, Retention, Row, Sqlite, StoreError};
use bellwether_protocol::event::Kind;
use bellwether_spine::{clock, memory};
use tracing::info;

use super::follower::{Batch, Chore};
use super::watch::{Look, Reading, Readings, Seen, Watch};
use super::{Observers, Source};

/// A commit waits for the disk; while little happens there is at most one in this time.
const COMMIT_EVERY: Duration = Duration::from_millis(40);
/// After a commit of so many events nobody follows them one by one, and others wait for the disk as well: there is at
/// most one in a longer time.
const MANY: usize = 200;
const COMMIT_MANY_EVERY: Duration = Duration::from_millis(120);
/// More than this is not gathered for one commit.
const GATHERED: usize = 4096;
/// The flock is looked after at most this often.
const TICK_AT_MOST: Duration = Duration::from_secs(1);
/// And at least this often, while somebody is in it.
const TICK_AT_LEAST: Duration = Duration::from_secs(15);
/// After so many events the memory that they needed is given back, and after fewer once nothing has come for a
/// while.
const GIVE_BACK_AFTER: usize = 100_000;
const GIVE_BACK_WHEN_QUIET: usize = 2_000;
const QUIET: Duration = Duration::from_millis(500);
/// Old events are removed for this long at a time.
const TIDY_FOR: Duration = Duration::from_millis(500);
/// A thread that looks and has ended is started again after this long.
const START_AGAIN: Duration = Duration::from_secs(10);
/// While something is being looked at it is asked about this often.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// Runs until the other side has gone, or until something could not be stored: that is then still in
/// the journal.
pub(super) fn run(
    keeper: Keeper<Sqlite>,
    batches: &Receiver<Batch>,
    observers: &mut Observers<'_>,
    retention: &Retention,
) -> Result<(), StoreError> {
    let mut writer = Writer {
        keeper,
        retention,
        watch: Watch::start(observers.home).ok(),
        observers,
        watching: Instant::now(),
        readings: Readings::default(),
        ticked: Instant::now(),
        held: 0,
    };
    writer.read_on_with_all();
    let mut last = None;
    loop {
        match gather(batches, last, writer.patience()) {
            Gathered::Batch(batch) => {
                let rows = writer.store(batch)?;
                last = Some(Committed {
                    at: Instant::now(),
                    rows,
                });
                writer.give_back(GIVE_BACK_AFTER);
            }
            Gathered::Nothing => writer.give_back(GIVE_BACK_WHEN_QUIET),
            Gathered::End => return Ok(()),
        }
        writer.look_after()?;
    }
}

struct Writer<'a, 'o> {
    keeper: Keeper<Sqlite>,
    observers: &'a mut Observers<'o>,
    retention: &'a Retention,
    watch: Option<Watch>,
    /// Since when.
    watching: Instant,
    readings: Readings,
    ticked: Instant,
    /// How many events were stored since memory was given back.
    held: usize,
}

impl Writer<'_, '_> {
    /// How long nothing happens by itself.
    fn patience(&self) -> Duration {
        if self.watch.as_ref().is_some_and(Watch::is_busy) {
            return LOOK_AGAIN;
        }
        if self.held >= GIVE_BACK_WHEN_QUIET {
            return QUIET;
        }
        let reading = self.readings.next();
        let reading = reading.map(|due| due.saturating_duration_since(Instant::now()));
        let left = self.until_tick();
        reading.map_or(left, |reading| reading.min(left))
    }

    fn until_tick(&self) -> Duration {
        let Some(due) = self.keeper.flock().next_due() else {
            return Duration::from_hours(1);
        };
        let left = Duration::from_millis(due.saturating_sub(clock::wall_ms()));
        let since = self.ticked.elapsed();
        left.clamp(
            TICK_AT_MOST.saturating_sub(since),
            TICK_AT_LEAST.max(TICK_AT_MOST),
        )
    }

    /// Gives memory back when that many events needed it.
    fn give_back(&mut self, after: usize) {
        if self.held >= after {
            self.held = 0;
            memory::give_back();
        }
    }

    /// Lets time pass for the flock, and stores what was seen of those who are quiet.
    fn look_after(&mut self) -> Result<(), StoreError> {
        let (mut harvest, mut stand_ins) = (Harvest::default(), Harvest::default());
        let mut read = Vec::new();
        for seen in self.watch.as_mut().map(Watch::take).unwrap_or_default() {
            match seen {
                Seen::Usage(measured) => {
                    read.push(measured.agent_id.clone());
                    harvest.usage.push(*measured);
                }
                Seen::Rows(rows) => harvest.rows.extend(rows),
                Seen::StandIns(rows) => stand_ins.rows.extend(rows),
            }
        }
        self.commit(harvest, Source::Watch)?;
        // They are told as the client's own events would be.
        self.commit(stand_ins, Source::Journal)?;
        for agent in read {
            self.readings.done(&agent);
        }
        self.read_on();
        if self.ticked.elapsed() >= TICK_AT_MOST {
            self.ticked = Instant::now();
            self.look_after_threads();
            let now_ms = clock::wall_ms();
            self.observers.tell_changes(self.keeper.tick(now_ms)?);
            let doubts = self.keeper.doubts(now_ms);
            if let Some(watch) = self.watch.as_mut().filter(|watch| !watch.is_busy())
                && !doubts.is_empty()
            {
                watch.ask(Look::Doubts(doubts));
            }
        }
        Ok(())
    }

    /// Tells of threads that have ended, and starts again what can be.
    fn look_after_threads(&mut self) {
        if let Some(text) = self.keeper.complaint() {
            self.observers.complain("thread_failed", text);
        }
        let has_ended = self.watch.as_ref().is_none_or(Watch::has_ended);
        if has_ended && self.watching.elapsed() >= START_AGAIN {
            let text = "the thread that reads transcripts has ended, and was started again";
            self.observers.complain("watch_failed", text);
            self.watch = Watch::start(self.observers.home).ok();
            self.watching = Instant::now();
            self.readings.all_failed(Instant::now());
        }
    }

    /// Stores a batch, does what is to be done with it, tells whoever waits for it, and returns how many events
    /// were stored.
    fn store(&mut self, mut batch: Batch) -> Result<usize, StoreError> {
        // With events that are stored anyway they cost no wait for the disk.
        batch.harvest.decisions = self.observers.decisions();
        let stored = self
            .commit(batch.harvest, Source::Journal)
            .and_then(|rows| {
                match batch.chore {
                    Chore::Nothing | Chore::Keep => {}
                    Chore::Settle => self.keeper.settle()?,
                    Chore::Tidy => self.tidy()?,
                }
                Ok(rows)
            });
        let answer = stored
            .as_ref()
            .map_or_else(|error| Err(error.to_string()), |_| Ok(()));
        for done in batch.done {
            let _ = done.send(answer.clone());
        }
        stored
    }

    fn commit(&mut self, harvest: Harvest, from: Source) -> Result<usize, StoreError> {
        if harvest.is_empty() {
            return Ok(0);
        }
        // Before they are stored: what is stored is not read again, and would be forgotten if we died here.
        self.export_ended(&harvest.rows);
        let kept = self.keeper.keep(harvest, clock::wall_ms())?;
        let count = kept.rows.len();
        self.held += count;
        self.watch_over(&kept.rows);
        self.observers.tell(kept, from);
        Ok(count)
    }

    /// Has every transcript of those who are there read on: a daemon before this one may have ended too early for that.
    fn read_on_with_all(&mut self) {
        for agent in self.keeper.flock().agents() {
            self.readings.ended(&agent.agent_id, Instant::now());
        }
    }

    /// Has the transcripts read that are due.
    fn read_on(&mut self) {
        let now = Instant::now();
        for id in self.readings.take_due(now) {
            let agent = self.keeper.flock().agent(&id);
            let Some((agent, transcript)) =
                agent.and_then(|agent| Some((agent, agent.transcript.as_ref()?)))
            else {
                self.readings.done(&id);
                continue;
            };
            let look = Look::Usage(Reading {
                agent_id: id.clone(),
                transcript: transcript.into(),
                from: agent.read_to,
                last_message: agent.last_message.clone(),
                last_used: agent.last_used,
            });
            if !self.watch.as_mut().is_some_and(|watch| watch.ask(look)) {
                self.readings.failed(&id, now);
            }
        }
    }

    /// Has the transcripts read of those whose turn has ended.
    fn watch_over(&mut self, rows: &[Row]) {
        let Some(watch) = &mut self.watch else { return };
        watch.meet(rows);
        for row in rows.iter().filter(|row| may_tell_failures(row)) {
            if self.keeper.lacks(row, Kind::PostToolUseFailure) {
                watch.ask(Look::FailedCalls(Box::new(row.clone())));
            }
        }
        for row in last_stops(rows) {
            if self.keeper.lacks(row, Kind::StopFailure) {
                watch.ask(Look::FailedTurn(Box::new(row.clone())));
            }
        }
        let ended = rows
            .iter()
            .filter(|row| row.meaning.kind == EventType::AgentStopped);
        for row in ended {
            self.readings.ended(&row.meaning.agent, Instant::now());
        }
        let going_on = rows.iter().filter(|row| row.moment == Kind::PostToolUse);
        for row in going_on {
            self.readings.goes_on(&row.meaning.agent, Instant::now());
        }
    }

    /// Has the sessions that have ended exported, if the person wants that.
    fn export_ended(&mut self, rows: &[Row]) {
        for row in rows.iter().filter(|row| row.moment == Kind::SessionEnd) {
            let known = self.keeper.flock().agent(&row.meaning.agent);
            let known = known.and_then(|agent| agent.transcript.as_deref());
            if let Some(transcript) = row.transcript.as_deref().or(known) {
                self.observers.exports.session_ended(row, transcript);
            }
        }
    }

    /// Removes what is not kept any longer, but not for so long that events would wait.
    fn tidy(&mut self) -> Result<(), StoreError> {
        let begun = Instant::now();
        let mut removed = 0;
        loop {
            let tidied = self.keeper.tidy(self.retention, clock::wall_ms())?;
            removed += tidied.removed;
            if !tidied.more || begun.elapsed() > TIDY_FOR {
                break;
            }
        }
        if removed > 0 {
            info!("removed {removed} events that are not kept any longer");
        }
        Ok(())
    }
}

/// The last end of a turn in each transcript: only that one can be judged by how the transcript ends.
fn last_stops(rows: &[Row]) -> Vec<&Row> {
    let mut last: BTreeMap<&str, &Row> = BTreeMap::new();
    for row in rows.iter().filter(|row| may_tell_failures(row)) {
        if let (Kind::Stop, Some(transcript)) = (row.moment, &row.transcript) {
            last.insert(transcript, row);
        }
    }
    last.into_values().collect()
}

/// After which events a transcript may tell of something that has failed. The first one says from where on it is new.
fn may_tell_failures(row: &Row) -> bool {
    let kinds = [
        Kind::SessionStart,
        Kind::PreToolUse,
        Kind::PostToolUse,
        Kind::Stop,
        Kind::SessionEnd,
    ];
    row.carrier.is_none() && row.transcript.is_some() && kinds.contains(&row.moment)
}

#[derive(Debug, Clone, Copy)]
struct Committed {
    at: Instant,
    rows: usize,
}

impl Committed {
    /// When the next one is due.
    fn due(self) -> Instant {
        let every = if self.rows < MANY {
            COMMIT_EVERY
        } else {
            COMMIT_MANY_EVERY
        };
        self.at + every
    }
}

/// What came while it was waited for.
enum Gathered {
    Batch(Batch),
    Nothing,
    End,
}

/// The next batch, with those that follow it before the next commit is due.
fn gather(batches: &Receiver<Batch>, last: Option<Committed>, patience: Duration) -> Gathered {
    let mut batch = match batches.recv_timeout(patience) {
        Ok(batch) => batch,
        Err(RecvTimeoutError::Timeout) => return Gathered::Nothing,
        Err(RecvTimeoutError::Disconnected) => return Gathered::End,
    };
    let due = last.map(Committed::due);
    while batch.done.is_empty() && batch.harvest.rows.len() < GATHERED {
        let wait = due.map_or(Duration::ZERO, |due| {
            due.saturating_duration_since(Instant::now())
        });
        match batches.recv_timeout(wait) {
            Ok(more) => absorb(&mut batch, more),
            Err(_) => break,
        }
    }
    Gathered::Batch(batch)
}

fn absorb(batch: &mut Batch, more: Batch) {
    batch.harvest.rows.extend(more.harvest.rows);
    batch.harvest.cursors.extend(more.harvest.cursors);
    batch.harvest.gone.extend(more.harvest.gone);
    batch.harvest.usage.extend(more.harvest.usage);
    batch.chore = batch.chore.max(more.chore);
    batch.done.extend(more.done);
}
