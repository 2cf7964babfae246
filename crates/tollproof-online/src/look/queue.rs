//! In which order addresses are looked at: hosts in turn, so that a slow one does not delay the others.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use url::Url;

use super::asked::Asked;

/// The addresses that are left, by host.
pub(super) struct Queue {
    state: Mutex<QueueState>,
    /// The most addresses of a host looked at at once.
    most: usize,
}

struct QueueState {
    hosts: Vec<HostQueue>,
    /// The hosts with addresses that may be looked at now.
    ready: VecDeque<usize>,
}

#[derive(Debug, Default)]
struct HostQueue {
    left: VecDeque<usize>,
    active: usize,
    is_ready: bool,
}

/// An address to look at, and its host.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub(super) asked: usize,
    host: usize,
}

/// Next job, if any.
#[derive(Clone, Copy, Debug)]
pub(super) enum NextJob {
    Job(Job),
    /// Nothing now: all hosts that are left are busy.
    Wait,
    /// Nothing more.
    End,
}

impl Queue {
    pub(super) fn new(asked: &[Asked], most: usize) -> Self {
        let mut hosts: Vec<HostQueue> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (index, it) in asked.iter().enumerate() {
            let url = (!it.is_mail()).then(|| Url::parse(&it.address).ok()).flatten();
            // Mail domains are asked of name servers alone.
            let key = url
                .and_then(|url| url.host_str().map(str::to_owned))
                .unwrap_or_else(|| format!("@{}", it.address));
            let host = *known.entry(key).or_insert_with(|| {
                hosts.push(HostQueue::default());
                hosts.len() - 1
            });
            hosts[host].left.push_back(index);
        }
        let ready = (0..hosts.len()).collect();
        hosts.iter_mut().for_each(|it| it.is_ready = true);
        Self { state: Mutex::new(QueueState { hosts, ready }), most }
    }

    /// The next address.
    pub(super) fn next(&self) -> NextJob {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(host) = state.ready.pop_front() else {
            let is_busy = state.hosts.iter().any(|it| !it.left.is_empty());
            return if is_busy { NextJob::Wait } else { NextJob::End };
        };
        let queue = &mut state.hosts[host];
        queue.is_ready = false;
        let Some(asked) = queue.left.pop_front() else { return NextJob::Wait };
        queue.active += 1;
        state.make_ready(host, self.most);
        NextJob::Job(Job { asked, host })
    }

    /// Says that an address was looked at.
    pub(super) fn done(&self, job: Job) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.hosts[job.host].active -= 1;
        state.make_ready(job.host, self.most);
    }
}

impl QueueState {
    fn make_ready(&mut self, host: usize, most: usize) {
        let queue = &mut self.hosts[host];
        if !queue.is_ready && !queue.left.is_empty() && queue.active < most {
            queue.is_ready = true;
            self.ready.push_back(host);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_take_turns_and_none_is_asked_too_often() {
        let asked = |address: &str| Asked { address: address.to_owned(), used: [].into(), names: [].into() };
        let all: Vec<Asked> =
            ["http://a/1", "http://a/2", "http://a/3", "http://b/1"].into_iter().map(asked).collect();
        let queue = Queue::new(&all, 2);
        let next = || match queue.next() {
            NextJob::Job(job) => job,
            other => panic!("{other:?}"),
        };
        let jobs = [next(), next(), next()];
        assert_eq!(jobs.map(|it| it.asked), [0, 3, 1]);
        assert!(matches!(queue.next(), NextJob::Wait));
        queue.done(jobs[0]);
        assert_eq!(next().asked, 2);
        assert!(matches!(queue.next(), NextJob::End));
    }
}
