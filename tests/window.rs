//! The real window on a virtual display, with real key and mouse events: open, Tab, orbit, rotate a
//! joint, save, undo, save again, close, reopen. Needs Xvfb, openbox and xdotool, which `test.sh`
//! brings; without them the test says so and passes.
#![cfg(all(feature = "gui", target_os = "linux"))]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use nalgebra::Vector2;
use sinew::app::{Studio, StudioOptions};
use sinew::io::project;
use sinew::kernel::rig::Posed;
use sinew::render::pick::posed_bones;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn spawn(command: &mut Command) -> Option<Process> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok().map(Process)
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A virtual display with a window manager.
struct Display {
    name: String,
    _server: Process,
    _manager: Process,
}

impl Display {
    fn start() -> Option<Self> {
        let tools = ["Xvfb", "openbox", "xdotool", "import"];
        let there = |tool: &&str| {
            let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output();
            found.is_ok_and(|output| output.status.success())
        };
        if !tools.iter().all(there) {
            return None;
        }
        let number = (90..200).find(|n| !Path::new(&format!("/tmp/.X{n}-lock")).exists())?;
        let name = format!(":{number}");
        let server =
            spawn(Command::new("Xvfb").args([&name, "-screen", "0", "1400x900x24", "-nolisten", "tcp"]))?;
        wait_for("the display", || Path::new(&format!("/tmp/.X11-unix/X{number}")).exists().then_some(()));
        let manager = spawn(Command::new("openbox").env("DISPLAY", &name))?;
        std::thread::sleep(Duration::from_millis(500));
        Some(Self { name, _server: server, _manager: manager })
    }

    /// Runs xdotool and gives its words back.
    fn xdo(&self, arguments: &[&str]) -> Option<String> {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// The pixels of the window as a digest.
    fn look(&self, window: &str) -> Vec<u8> {
        let output = Command::new("import")
            .args(["-window", window, "-depth", "8", "rgb:-"])
            .env("DISPLAY", &self.name)
            .output();
        output.expect("import is there").stdout
    }
}

/// The studio in its window.
struct Window<'a> {
    display: &'a Display,
    id: String,
    process: Process,
}

impl<'a> Window<'a> {
    fn open(display: &'a Display, home: &Path, file: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.arg(file).env("DISPLAY", &display.name).env_remove("WAYLAND_DISPLAY");
        command.env("XDG_DATA_HOME", home).env("XDG_CONFIG_HOME", home).env("XDG_RUNTIME_DIR", home);
        let process = spawn(&mut command).expect("the program starts");
        // The title names the character once it is open.
        let id = wait_for("the window", || {
            display.xdo(&["search", "--onlyvisible", "--name", ".+ Sinew"]).filter(|ids| !ids.is_empty())
        });
        let id = id.lines().next().expect("not empty").to_owned();
        display.xdo(&["windowactivate", "--sync", &id]);
        let window = Self { display, id, process };
        window.pause();
        window
    }

    fn pause(&self) {
        std::thread::sleep(Duration::from_millis(1500));
    }

    fn key(&self, key: &str) {
        self.display.xdo(&["key", "--clearmodifiers", key]).expect("a key");
        self.pause();
    }

    fn type_text(&self, text: &str) {
        self.display.xdo(&["type", "--delay", "30", text]).expect("text");
        self.pause();
    }

    fn move_to(&self, x: f64, y: f64) {
        let (x, y) = (format!("{x:.0}"), format!("{y:.0}"));
        self.display.xdo(&["mousemove", "--sync", "--window", &self.id, &x, &y]).expect("a move");
        std::thread::sleep(Duration::from_millis(300));
    }

    fn drag(&self, from: [f64; 2], to: [f64; 2], button: &str) {
        self.move_to(from[0], from[1]);
        self.display.xdo(&["mousedown", button]);
        for k in 1..=6 {
            let t = f64::from(k) / 6.0;
            self.move_to(from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t);
        }
        self.display.xdo(&["mouseup", button]);
        self.pause();
    }

    /// Asks the window to close and waits for the program to end.
    fn close(mut self) {
        self.display.xdo(&["key", "--clearmodifiers", "ctrl+q"]);
        wait_for("the end", || self.process.0.try_wait().ok().flatten());
    }
}

/// Where the elbow's bone and the empty background are seen, from the same panels without a screen.
fn places() -> ([f64; 2], [f64; 2]) {
    let options = StudioOptions::new(vec![PathBuf::from("@arm")]);
    let mut harness = Harness::builder()
        .with_size([1280.0, 800.0])
        .build_eframe(move |creation| Studio::new(creation, options).expect("a worker"));
    wait_for("the arm", || {
        harness.step();
        harness.state().state().session.is_open().then_some(())
    });
    harness.run_steps(3);
    let pane = harness.get_by_label_contains("Viewport 1").rect();
    let state = harness.state().state();
    let skeleton = &state.character().skeleton;
    let elbow = skeleton.len().min(2) - 1;
    let posed = Posed::rest(skeleton);
    let (_, head, tail) =
        posed_bones(skeleton, &posed).into_iter().find(|bone| bone.0 == elbow).expect("it has a bone");
    let size = Vector2::new(f64::from(pane.width()), f64::from(pane.height()));
    let pixel = state.camera.project(&(head + (tail - head) * 0.4), size).expect("in view");
    let bone = [f64::from(pane.left()) + pixel.x, f64::from(pane.top()) + pixel.y];
    (bone, [f64::from(pane.left()) + 60.0, f64::from(pane.bottom()) - 60.0])
}

#[test]
fn a_session_with_real_keys_and_mouse() {
    let Some(display) = Display::start() else {
        println!("Xvfb, openbox, xdotool or import is missing: the real window was not driven");
        return;
    };
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("session.sinew");
    let (bone, background) = places();

    let window = Window::open(&display, home.path(), "@arm");
    window.key("space");
    window.key("alt+shift+r");
    let at_rest = display.look(&window.id);
    assert_eq!(at_rest, display.look(&window.id), "held, the picture stands still");

    window.move_to(bone[0], bone[1]);
    display.xdo(&["click", "1"]);
    window.pause();
    window.key("r");
    window.key("x");
    window.type_text("40");
    window.key("Return");
    assert_ne!(at_rest, display.look(&window.id), "the joint turned");

    window.key("ctrl+s");
    window.key("ctrl+a");
    window.type_text(&file.to_string_lossy());
    window.key("Return");
    wait_for("the project file", || file.exists().then_some(()));
    let turned = |file: &Path| {
        let opened = project::open(file).expect("a project");
        let skeleton = &opened.document.character().skeleton;
        let pose = opened.document.pose();
        (0..skeleton.len())
            .map(|j| pose.rotation_from_rest(skeleton, j).angle().to_degrees())
            .fold(0.0, f64::max)
    };
    assert!((turned(&file) - 40.0).abs() < 1e-3, "{}", turned(&file));

    window.key("Tab");
    let flicked = display.look(&window.id);
    window.drag(background, [background[0] + 90.0, background[1] - 30.0], "2");
    assert_ne!(flicked, display.look(&window.id), "the view turned");

    window.key("ctrl+z");
    window.key("ctrl+s");
    wait_for("the second save", || (turned(&file) < 1e-3).then_some(()));
    let saved = project::open(&file).expect("a project");
    assert_eq!(saved.document.method(), "dual_quaternion", "what Tab chose was saved");
    window.close();

    let again = Window::open(&display, home.path(), &file.to_string_lossy());
    let title = display.xdo(&["getwindowname", &again.id]).expect("a title");
    assert!(title.contains("session"), "{title}");
    again.close();
}
