//! Makes a picture of a page: the form that asks for a phone number in view, in a file of a bounded size.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::frames::{main_frame, may_fail, worlds};
use super::tab::Tab;
use crate::page::PageView;
use crate::problem::{RenderError, Result};

/// Scrolls to the form that asks for a phone number, and says where it is.
const LOCATE: &str = include_str!("locate.js");

/// The size of the view in pixels: a laptop's width, and high enough for a form with its text.
const WIDTH: u32 = 1280;
const HEIGHT: u32 = 1600;

/// The scales of the picture, tried one after the other.
const SCALES: [f64; 6] = [1.0, 0.85, 0.7, 0.6, 0.5, 0.4];

/// A part of the page, in its pixels.
#[derive(Clone, Copy, Debug, Deserialize)]
struct ViewArea {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Gives the page the size of the view.
pub(super) fn resize(tab: &mut Tab<'_>) -> Result<()> {
    let main = tab.main.clone();
    let size = json!({ "width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": false });
    tab.call(&main, "Emulation.setDeviceMetricsOverride", &size).map(drop)
}

/// Makes a picture of at most so many bytes.
pub(super) fn view(tab: &mut Tab<'_>, skips_frame: fn(&str) -> bool, max: usize) -> Result<PageView> {
    let (worlds, _) = worlds(tab, skips_frame)?;
    let mut located = None;
    for it in &worlds {
        let params =
            json!({ "expression": format!("({LOCATE})()"), "contextId": it.context, "returnByValue": true });
        let found = may_fail(tab.call(&it.session, "Runtime.evaluate", &params))?.unwrap_or_default();
        if let Ok(found) = ViewArea::deserialize(&found["result"]["value"]) {
            located = Some((found, it.frame.parent_id.is_none()));
            break;
        }
    }
    let (url, _) = tab.place(&main_frame(&worlds)?)?;
    tab.settle(Duration::ZERO)?;
    let main = tab.main.clone();
    let metrics = tab.call(&main, "Page.getLayoutMetrics", &json!({}))?;
    let shown = &metrics["cssVisualViewport"];
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    let whole = ViewArea {
        x: number(&shown["pageX"]),
        y: number(&shown["pageY"]),
        width: number(&shown["clientWidth"]),
        height: number(&shown["clientHeight"]),
    };
    // What is in a frame has its place in the frame, not in the page.
    let form = located.as_ref().filter(|(_, is_main)| *is_main).map(|(it, _)| around(*it, whole));
    let smallest = form.unwrap_or(whole);
    let areas = [whole].into_iter().chain(form).map(|it| (it, 1.0));
    for (area, scale) in areas.chain(SCALES.into_iter().skip(1).map(|it| (smallest, it))) {
        let ViewArea { x, y, width, height } = area;
        let clip = json!({ "x": x, "y": y, "width": width, "height": height, "scale": scale });
        let taken = tab.call(&main, "Page.captureScreenshot", &json!({ "format": "png", "clip": clip }))?;
        let png = taken["data"]
            .as_str()
            .and_then(|data| BASE64_STANDARD.decode(data).ok())
            .ok_or(RenderError::Failed)?;
        if png.len() <= max {
            return Ok(PageView { png, url, shows_form: located.is_some() });
        }
    }
    Err(RenderError::TooLarge)
}

/// The form with a margin, as far as it is in view.
fn around(form: ViewArea, whole: ViewArea) -> ViewArea {
    const MARGIN: f64 = 80.0;
    let top = (form.y - MARGIN).max(0.0);
    let bottom = (form.y + form.height + MARGIN).min(whole.height);
    let left = (form.x - MARGIN).max(0.0);
    let right = (form.x + form.width + MARGIN).min(whole.width);
    if right - left >= 1.0 && bottom - top >= 1.0 {
        ViewArea { x: whole.x + left, y: whole.y + top, width: right - left, height: bottom - top }
    } else {
        whole
    }
}
