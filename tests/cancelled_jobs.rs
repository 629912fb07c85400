//! Every kind of job, cancelled at moments that a seed chooses: it ends as cancelled, and soon. Not by the clock: after
//! the answer that it is cancelled a job asks no more, but for the threads that were asking at that moment.
//!
//! `SINEW_VERTICES=100000 cargo test --test cancelled_jobs -- --nocapture` prints how much processor time passes between
//! two questions of each job, which is how long a cancel can go unnoticed, and until it has left;
//! `SINEW_JOB` names those that are wanted.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use sinew::doc::{Document, Edit, Origin, ReadOptions};
use sinew::io::recovery::Note;
use sinew::io::templates::TemplateFolder;
use sinew::io::{atomic, gltf, pose, project};
use sinew::jobs::bind::{BindGuarded, BindMethod, GuardMethod, Previous};
use sinew::jobs::cage::FitCage;
use sinew::jobs::coords::CageCoordinates;
use sinew::jobs::export::ExportGlb;
use sinew::jobs::import_motion::{ImportMotion, ReadNotation};
use sinew::jobs::measure::{MeasureMotion, Motion};
use sinew::jobs::measure_pose::{MeasureNow, PrepareGauge};
use sinew::jobs::open::OpenOrigin;
use sinew::jobs::open_project::OpenProject;
use sinew::jobs::prepare_painting::PrepareCanvas;
use sinew::jobs::prepare_tags::ProbeMesh;
use sinew::jobs::rig::{RigMesh, SkeletonSource};
use sinew::jobs::save::{KeepCopy, SaveProject, WriteBytes};
use sinew::jobs::templates::{PrepareTemplate, ReshapeTemplate};
use sinew::jobs::user_folder::{ReadFolder, RemoveFile, SaveFile};
use sinew::jobs::{Job, JobError, run_here};
use sinew::kernel::forge;
use sinew::kernel::progress::{Progress, Silent};
use sinew::kernel::rig::{Character, Pose, Posed, motions, tag_layout};
use sinew::kernel::skin::methods::cage::rigged::pieces::Spot;
use sinew::kernel::skin::methods::cage::template::Template;
use sinew::kernel::skin::methods::cage::{BoundCage, JOINT_TEMPLATES};
use sinew::kernel::skin::{Bound, Libraries, Method, Params, methods};
use sinew::kernel::{coords, measure, weights};

/// Threads that a job has.
const THREADS: usize = 2;
/// Questions after the cancel that are as good as none: each thread may be about to ask, in loops within loops.
const HANDFUL: usize = 4 * THREADS;
/// Moments at which each job is cancelled.
const MOMENTS: u64 = 3;

/// Answers that a job is cancelled from a question on, and sees how much work lies between two.
struct Watch {
    cancelled_from: usize,
    asked: AtomicUsize,
    gaps: Mutex<Gaps>,
}

struct Gaps {
    /// When the last question was.
    at: Instant,
    /// The processor time at or shortly before it, and when that was.
    cpu: (Duration, Instant),
    words: String,
    /// The longest, and what the job was doing before it.
    longest: (Duration, String),
    /// The processor time when it was first told to stop.
    told: Option<Duration>,
}

impl Watch {
    fn new(cancelled_from: usize) -> Self {
        let (now, words) = (Instant::now(), "start".to_owned());
        let longest = (Duration::ZERO, String::new());
        let gaps = Mutex::new(Gaps { at: now, cpu: (cpu(), now), words, longest, told: None });
        Self { cancelled_from, asked: AtomicUsize::new(0), gaps }
    }

    fn gaps(&self) -> MutexGuard<'_, Gaps> {
        self.gaps.lock().expect("no panic")
    }

    /// Notes that there is a question, or the end.
    fn look(&self) {
        let (mut gaps, now) = (self.gaps(), Instant::now());
        if now - gaps.cpu.1 > Duration::from_millis(5) {
            let before = std::mem::replace(&mut gaps.cpu, (cpu(), now));
            let gap = gaps.cpu.0.saturating_sub(before.0);
            if now - gaps.at > Duration::from_millis(20) && gap > gaps.longest.0 {
                gaps.longest = (gap, gaps.words.clone());
            }
        }
        gaps.at = now;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Progress for Watch {
    fn step(&self, _: f32, words: &str) {
        words.clone_into(&mut self.gaps().words);
    }
    fn warn(&self, _: &str) {}
    fn cancelled(&self) -> bool {
        self.look();
        let is_told = self.asked.fetch_add(1, Ordering::SeqCst) + 1 >= self.cancelled_from;
        if is_told {
            self.gaps().told.get_or_insert_with(cpu);
        }
        is_told
    }
}

/// Processor time of this program so far, as the system tells it in hundredths of a second.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    Duration::from_millis(fields.filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>() * 10)
}

type Run<'a> = Box<dyn Fn(&dyn Progress) -> Result<(), JobError> + Send + Sync + 'a>;

fn run<'a, J: Job + 'a>(make: impl Fn() -> J + Send + Sync + 'a) -> Run<'a> {
    Box::new(move |progress| run_here(make(), progress).map(drop))
}

/// A character, and what jobs begin with.
struct Desk {
    character: Character,
    document: Document,
    folder: tempfile::TempDir,
    cage: Arc<dyn Bound>,
    curve: Arc<dyn Bound>,
    gauge: Arc<measure::Gauge>,
}

impl Desk {
    fn new() -> Self {
        let count = std::env::var("SINEW_VERTICES").ok().and_then(|words| words.parse().ok());
        let mut character = forge::build("hero", Some(count.unwrap_or(3_000))).expect("built in");
        character.clips.extend(motions::walk(&character.skeleton).map(Arc::new));
        let mut document = Document::new(Origin::parse("@hero"), character.clone());
        // Weights of its own, so that a project has something to write.
        let own = Edit::SetWeights(Arc::new(character.weights.pruned(3).0), true);
        document.apply(own).expect("they fit");
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let glb = gltf::write_glb(&character, &gltf::WriteOptions::default()).expect("writes");
        atomic::write(&path("hero.glb"), &glb).expect("writes");
        project::save(&document, &path("hero.sinew")).expect("writes");
        let rest = pose::write(&Pose::rest(&character.skeleton), &character.skeleton);
        atomic::write(&path("rest.ron"), rest.as_bytes()).expect("writes");
        let bind = |id: &str| {
            let method = methods::find(id).expect("listed");
            let bound = method.bind(&character, &Libraries::default(), &Params::default(), &Silent);
            Arc::from(bound.expect("binds"))
        };
        let gauge = Arc::new(measure::Gauge::new(&character, &Silent).expect("not cancelled"));
        Self { cage: bind("cage"), curve: bind("curve"), gauge, character, document, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bind(&self, method: &'static dyn Method, previous: Option<Previous>, params: Params) -> BindMethod {
        let (character, libraries) = (self.character.clone(), Libraries::default());
        BindMethod { method, params, character, libraries, previous }
    }

    /// The elbow of the cage, and another template that fits there.
    fn elbow(&self) -> (Spot, Params) {
        let rig = self.cage.find::<BoundCage>().expect("a cage").rig();
        let site = rig.layout().site("LeftLowerArm").expect("an elbow");
        let library = Libraries::default().templates;
        let spot = Spot::Site(site);
        let standing = rig.default_at(&library, spot);
        let other = library.offered(spot.part(rig.layout())).into_iter().find(|t| *t != standing);
        let mut params = Params::default();
        let name = other.expect("there are several").name.clone();
        params.set_table(JOINT_TEMPLATES, [(spot.name(rig.layout()).to_owned(), name)].into());
        (spot, params)
    }

    /// Every kind of job.
    fn jobs(&self) -> Vec<(String, Run<'_>)> {
        let Character { mesh, skeleton, .. } = &self.character;
        let mut jobs: Vec<(String, Run)> = Vec::new();
        for method in methods::METHODS.iter().copied() {
            let id = method.info().id;
            jobs.push((format!("bind {id}"), run(move || self.bind(method, None, Params::default()))));
        }
        for (id, pure) in [("cage", &self.cage), ("curve", &self.curve)] {
            let method = methods::find(id).expect("listed");
            let (pure, character) = (move || Arc::clone(pure), move || self.character.clone());
            let guard = move || GuardMethod { method, pure: pure(), character: character(), prepared: None };
            jobs.push((format!("guard {id}"), run(guard)));
        }
        let cage = methods::find("cage").expect("listed");
        let guarded = move || BindGuarded(self.bind(cage, None, Params::default()));
        jobs.push(("bind guarded".into(), run(guarded)));
        for (name, source, kind) in [
            ("heat", SkeletonSource::Own, weights::Kind::Heat),
            ("distance", SkeletonSource::Own, weights::Kind::Distance),
            ("tags", SkeletonSource::Tags(tag_layout::lay_out(mesh)), weights::Kind::Distance),
            ("shape", SkeletonSource::Shape, weights::Kind::Distance),
        ] {
            let rig = move || RigMesh { character: self.character.clone(), skeleton: source.clone(), kind };
            jobs.push((format!("rig {name}"), run(rig)));
        }
        // As fine as cages may be.
        let coarse = forge::build("hero", Some(2_000)).expect("built in").mesh;
        for kind in [coords::Kind::Positive, coords::Kind::Signed] {
            let coarse = Arc::clone(&coarse);
            let weigh = move || CageCoordinates { mesh: Arc::clone(mesh), cage: Arc::clone(&coarse), kind };
            jobs.push((format!("coords {kind:?}"), run(weigh)));
        }
        let mut add = |name: &str, job| jobs.push((name.to_owned(), job));
        let (character, libraries) = (move || self.character.clone(), Libraries::default);
        add(
            "fit cage",
            run(move || FitCage {
                character: character(),
                libraries: libraries(),
                params: Params::default(),
            }),
        );
        let (spot, params) = self.elbow();
        let previous = move || Previous { bound: Arc::clone(&self.cage), params: Params::default() };
        let of = params.clone();
        add(
            "prepare template",
            run(move || PrepareTemplate {
                previous: previous(),
                params: of.clone(),
                character: character(),
                libraries: libraries(),
                ready_of: [0, 1],
            }),
        );
        add("swap template", run(move || self.bind(cage, Some(previous()), params.clone())));
        let rig = self.cage.find::<BoundCage>().expect("a cage").rig();
        let template = Arc::clone(&rig.piece(spot).expect("an elbow").template);
        let reshaped = Arc::clone(&template);
        add(
            "reshape template",
            run(move || ReshapeTemplate {
                previous: Arc::clone(&self.cage),
                character: character(),
                spot,
                template: Arc::clone(&reshaped),
            }),
        );
        let folder = || TemplateFolder::read(&self.path("templates"));
        let mine = Template { name: "Mine".into(), ..template.as_ref().clone() };
        add("read templates", run(move || ReadFolder(folder())));
        let thing = mine.clone();
        add("save template", run(move || SaveFile { folder: folder(), thing: thing.clone(), file: None }));
        let kept = move || {
            folder().write(&mine, None).expect("written");
            RemoveFile { folder: folder(), thing: mine.clone() }
        };
        add("delete template", run(kept));
        add("canvas", run(|| PrepareCanvas { mesh: Arc::clone(mesh), skeleton: Arc::clone(skeleton) }));
        add("probe", run(|| ProbeMesh { mesh: Arc::clone(mesh), known: None, lay_out: true }));
        add("gauge", run(move || PrepareGauge { character: character() }));
        let posed = Arc::new(Posed::rest(skeleton));
        add(
            "numbers",
            run(move || MeasureNow {
                gauge: Arc::clone(&self.gauge),
                methods: vec![("cage", Arc::clone(&self.cage)), ("curve", Arc::clone(&self.curve))],
                posed: Arc::clone(&posed),
                scope: measure::Scope::All,
            }),
        );
        add(
            "measure",
            run(move || MeasureMotion {
                character: character(),
                libraries: libraries(),
                methods: vec![(methods::find("dual_quaternion").expect("listed"), Params::default())],
                motion: Motion::Bend(3, 0.0, 90.0),
                steps: 4,
            }),
        );
        let read_options = ReadOptions::default;
        let file = move |name: &str| Origin::File(self.path(name));
        add("open", run(move || OpenOrigin { origin: file("hero.glb"), options: read_options() }));
        let built_in = || OpenOrigin { origin: Origin::parse("@hero:6000"), options: ReadOptions::default() };
        add("open built in", run(built_in));
        add("open project", run(|| OpenProject { path: self.path("hero.sinew") }));
        let motion = || ImportMotion { path: self.path("hero.glb"), skeleton: Arc::clone(skeleton) };
        add("import motion", run(motion));
        let notation = || ReadNotation { path: self.path("rest.ron"), skeleton: Arc::clone(skeleton) };
        add("read pose", run(notation));
        add("save", run(|| SaveProject { document: self.document.clone(), path: self.path("a.sinew") }));
        let note = || Note::new("hero".into(), None);
        add(
            "copy",
            run(move || KeepCopy {
                document: self.document.clone(),
                file: self.path("copy.sinew"),
                note: note(),
            }),
        );
        add("write", run(|| WriteBytes { make: || Ok(vec![0; 1000]), path: self.path("picture.png") }));
        let glb = move |max_influences| {
            move || ExportGlb { character: character(), max_influences, path: self.path("out.glb") }
        };
        add("export", run(glb(None)));
        add("export few", run(glb(Some(2))));
        jobs
    }
}

/// A number that a seed gives (Vigna's SplitMix64).
fn random(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[test]
fn every_job_leaves_at_the_first_question_after_it_was_cancelled() {
    let desk = Desk::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().expect("threads");
    println!("{} vertices", desk.character.mesh.vertex_count());
    let wanted = std::env::var("SINEW_JOB").unwrap_or_default();
    let jobs = desk.jobs().into_iter().filter(|(name, _)| name.contains(&wanted));
    println!(
        "{:<22} {:>9} {:>15} {:>13}  before the gap",
        "job", "questions", "longest gap ms", "left after ms"
    );
    for (k, (name, job)) in jobs.enumerate() {
        let whole = Watch::new(usize::MAX);
        let done = pool.install(|| job(&whole));
        whole.look();
        assert!(done.is_ok(), "{name}: {done:?}");
        assert!(whole.asked() > 0, "{name} never asks");
        let (gap, words) = whole.gaps().longest.clone();
        let mut left = Duration::ZERO;
        for moment in 0..MOMENTS {
            let at = 1 + random(97 * k as u64 + moment) as usize % whole.asked();
            let watch = Watch::new(at);
            let end = pool.install(|| job(&watch));
            // Work that others do is waited for by the clock: it may be done before it is asked about as often.
            if watch.asked() < at {
                assert!(end.is_ok(), "{name} was not cancelled");
                continue;
            }
            assert!(matches!(end, Err(JobError::Cancelled(_))), "{name}, question {at}: {end:?}");
            let after = watch.asked() - at;
            assert!(after <= HANDFUL, "{name} asked {after} times after it was cancelled at question {at}");
            left = left.max(cpu().saturating_sub(watch.gaps().told.unwrap_or_default()));
            // What cannot be interrupted ends by itself; the next job is not to wait for it.
            pool.broadcast(|_| ());
        }
        let [gap, left] = [gap, left].map(|time| time.as_millis());
        println!("{name:<22} {:>9} {gap:>15} {left:>13}  {words}", whole.asked());
    }
}
