// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/recordwriter.h"

#include "backend/history/recordqueries.h"
#include "backend/history/store/ageing.h"
#include "backend/history/store/recordstore.h"

#include <QElapsedTimer>

#include <algorithm>

namespace lk {

namespace {

constexpr int writeEveryMs = 1000;
constexpr qint64 retryEveryMs = 5000;
constexpr qint64 measureEveryMs = 5000;
constexpr qint64 ageEveryMs = 10'000;
constexpr qint64 ageForMs = 50; // a second, at most
// A third of a claim's duration: every other interval, even if the timer fires a little early.
constexpr qint64 claimEveryMs = 2000 - writeEveryMs / 2;
constexpr size_t mostKept = 20'000; // events that outlast a failing disk

qint64 weight(const RecordBatch& batch)
{
    const size_t all = batch.states.size() + batch.samples.size() + batch.events.size() +
                       batch.holds.size() + batch.findings.size();
    return qint64(all);
}

} // namespace

RecordWriter::RecordWriter(Setup setup)
    : m_setup(std::move(setup))
{
    m_second.setInterval(writeEveryMs);
    connect(&m_second, &QTimer::timeout, this, &RecordWriter::everySecond);
}

RecordWriter::~RecordWriter() = default;

void RecordWriter::start()
{
    m_second.start();
}

void RecordWriter::stop()
{
    m_second.stop();
    while (!m_live.empty())
        end(m_live.begin()->first, GapReason::Stopped);
    m_ageing.reset();
    m_store.reset();
}

void RecordWriter::begin(const RecordedDeployment& deployment, qint64 atMs)
{
    Live& live = m_live[deployment.key];
    for (const RecordBatchPtr& batch : live.waiting)
        m_waiting -= weight(*batch);
    live = {};
    live.deployment = deployment;
    live.atMs = atMs;
    live.offsetMs = atMs - m_setup.clock->nowMs();
    flush();
}

void RecordWriter::end(const QByteArray& deployment, GapReason reason)
{
    const auto it = m_live.find(deployment);
    if (it == m_live.end())
        return;
    it->second.claimedMs = 0; // makes the waiting data due
    flush();
    if (it->second.here && m_store && m_store->beginTransaction()) {
        const qint64 id = m_store->deployment(it->second.deployment);
        if (id == 0 || !m_store->release(id, reason) || !m_store->commit())
            m_store->rollback();
    }
    for (const RecordBatchPtr& batch : it->second.waiting)
        m_waiting -= weight(*batch);
    m_live.erase(it);
}

void RecordWriter::add(const RecordBatchPtr& batch)
{
    // Dropped states would not be sent again until they change, so writes rather than drops.
    if (m_waiting > mostWaiting && !m_failing)
        flush();
    const auto it = m_live.find(batch->deployment);
    if (it == m_live.end())
        return;
    if (it->second.interrupted)
        keepEvents(it->second, *batch);
    if (!it->second.here || m_waiting > mostWaiting)
        return;
    it->second.atMs = std::max(it->second.atMs, batch->atMs);
    it->second.offsetMs = batch->atMs - m_setup.clock->nowMs();
    if (batch->isEmpty())
        return; // nothing happened, which the next claim records
    m_waiting += weight(*batch);
    it->second.waiting.push_back(batch);
}

void RecordWriter::addOwnEvents(const QByteArray& deployment,
                                const std::vector<RecordedEvent>& events)
{
    const auto it = m_live.find(deployment);
    if (it != m_live.end() && it->second.own.size() < mostKept)
        it->second.own.insert(it->second.own.end(), events.begin(), events.end());
}

void RecordWriter::addEventsTo(const QByteArrayList& names,
                               const std::vector<RecordedEvent>& events)
{
    RecordedDeployment deployment;
    {
        RecordQueries queries(m_setup.path);
        if (events.empty() || !queries.open())
            return;
        const QByteArray key = queries.find(names);
        if (key.isEmpty())
            return;
        deployment = queries.span(key).deployment;
    }
    if (m_live.contains(deployment.key))
        return addOwnEvents(deployment.key, events);
    if (!ensureOpen())
        return;
    bool written = m_store->beginTransaction();
    const qint64 id = written ? m_store->deployment(deployment) : 0;
    written = id > 0 && writeEvents(id, events);
    if (id > 0)
        m_store->forget(id); // the program that records it counts its primitives
    if (!written || !m_store->commit()) {
        const QSqlError why = m_store->error();
        m_store->rollback();
        fail(m_store->file().errorOf(why));
    } else if (std::exchange(m_failing, false)) {
        emit recovered();
    }
    if (m_live.empty()) { // otherwise nothing checks whether the path still names this file
        m_ageing.reset();
        m_store.reset();
    }
}

void RecordWriter::setRetention(const Retention& retention)
{
    m_setup.retention = retention;
    m_ageAtMs = m_measuredMs = 0; // a smaller limit applies at once
}

bool RecordWriter::ensureOpen()
{
    if (m_store && m_store->file().isOpen())
        return true;
    auto store = std::make_unique<RecordStore>(m_setup.path);
    store->file().putAside(std::exchange(m_broken, 0));
    if (const Result<void> opened = store->open(); !opened) {
        fail(opened.error());
        return false;
    }
    if (!store->file().setAside().isEmpty())
        emit problem({ErrorCode::FileError,
                      tr("%1 was corrupt and was renamed to %2; recording to a new file")
                          .arg(m_setup.path, store->file().setAside())});
    m_failing = m_failing || !store->file().setAside().isEmpty();
    m_store = std::move(store);
    m_ageing = std::make_unique<Ageing>(m_store->file(), m_store->recorder());
    return true;
}

void RecordWriter::fail(const Error& error)
{
    m_retryMs = m_setup.clock->nowMs() + retryEveryMs;
    if (!m_failing)
        emit problem(error);
    m_failing = true;
}

// Recording continues, but the file grows as long as ageing fails.
void RecordWriter::failToAge(const QSqlError& why)
{
    m_ageAtMs = m_setup.clock->nowMs() + ageEveryMs;
    if (!std::exchange(m_growing, true))
        emit problem(m_store->file().errorOf(why));
    if (RecordFile::isBroken(why)) {
        dropWaiting();
        closeBroken();
    }
}

// When the disk is back, a new span begins with the states of that time. They do not contain the
// events in between.
void RecordWriter::dropWaiting()
{
    m_waiting = 0;
    for (auto& [key, live] : m_live) {
        for (const RecordBatchPtr& batch : live.waiting)
            keepEvents(live, *batch);
        live.waiting.clear();
        live.interrupted = live.interrupted || live.here;
        live.here = live.claimed = false;
    }
}

void RecordWriter::keepEvents(Live& live, const RecordBatch& batch)
{
    if (live.kept.size() < mostKept)
        live.kept.insert(live.kept.end(), batch.events.begin(), batch.events.end());
}

bool RecordWriter::isClaimDue(const Live& live) const
{
    const qint64 sinceMs = m_setup.clock->nowMs() - live.claimedMs;
    return !live.here || sinceMs >= claimEveryMs || sinceMs < 0; // a clock was set back
}

bool RecordWriter::isDue(const Live& live) const
{
    return !live.waiting.empty() || !live.own.empty() || isClaimDue(live);
}

bool RecordWriter::claim(Live& live)
{
    live.claimedMs = m_setup.clock->nowMs();
    const qint64 id = m_store->deployment(live.deployment);
    bool worked = id > 0;
    const bool here = worked && m_store->claim(id, m_setup.clock->nowMs(), live.offsetMs, worked);
    if (!worked)
        return false;
    if (here && !live.here) {
        live.waiting.clear();
        if (!m_store->beginStretch(id, live.atMs))
            return false;
    }
    if (!here)
        m_store->forget(id);
    live.claimed = here;
    return true;
}

bool RecordWriter::writeEvents(qint64 deployment, const std::vector<RecordedEvent>& events)
{
    RecordBatch batch;
    batch.events = events;
    return events.empty() || m_store->write(deployment, batch);
}

bool RecordWriter::write()
{
    if (!m_store->beginTransaction())
        return false;
    for (auto& [key, live] : m_live) {
        if (!isDue(live))
            continue;
        if (isClaimDue(live) && !claim(live))
            return false;
        const qint64 id = m_store->deployment(live.deployment);
        if (!writeEvents(id, live.own))
            return false;
        if (!live.claimed) {
            m_store->forget(id); // the program that records it counts its primitives
            continue;
        }
        if (!writeEvents(id, live.kept))
            return false;
        for (const RecordBatchPtr& batch : live.waiting) {
            if (!m_store->write(id, *batch))
                return false;
        }
        if (!m_store->writeBlocks(id, live.atMs) || !m_store->extend(id, live.atMs))
            return false;
    }
    return m_store->commit();
}

// Only one page may be broken, which is not read for days: if opened again, the file would seem
// intact.
void RecordWriter::closeBroken()
{
    m_broken = m_store->file().identity();
    m_ageing.reset();
    m_store.reset();
}

void RecordWriter::flush()
{
    const bool due = std::any_of(m_live.begin(), m_live.end(),
                                 [this](const auto& item) { return isDue(item.second); });
    if (!due || !ensureOpen())
        return;
    const bool data = std::any_of(m_live.begin(), m_live.end(), [](const auto& item) {
        return !item.second.waiting.empty() || !item.second.kept.empty();
    });
    if (!write()) {
        const QSqlError why = m_store->error();
        m_store->rollback();
        fail(m_store->file().errorOf(why));
        m_full = true;
        dropWaiting();
        if (RecordFile::isBroken(why))
            closeBroken();
        return;
    }
    m_waiting = 0;
    for (auto& [key, live] : m_live) {
        live.waiting.clear();
        live.kept.clear();
        live.own.clear();
        live.interrupted = false;
        const bool before = std::exchange(live.here, live.claimed);
        if (!live.begun || before != live.here)
            emit recordingChanged(key, live.here);
        live.begun = true;
        if (live.here && !before)
            emit resumed(key);
    }
    // A claim may fit on a disk that has no space for the data.
    if (!m_failing || (m_full && !data))
        return;
    m_failing = m_full = false;
    if (!m_growing)
        emit recovered();
}

void RecordWriter::everySecond()
{
    const qint64 nowMs = m_setup.clock->nowMs();
    // A clock that was set back must not delay these any longer.
    m_retryMs = std::min(m_retryMs, nowMs + retryEveryMs);
    m_ageAtMs = std::min(m_ageAtMs, nowMs + ageEveryMs);
    m_measuredMs = std::min(m_measuredMs, nowMs);
    if (m_failing && nowMs < m_retryMs)
        return;
    flush();
    if (m_failing || !ensureOpen())
        return;
    QElapsedTimer timer;
    timer.start();
    while (nowMs >= m_ageAtMs && timer.elapsed() < ageForMs) {
        if (!m_ageing->step(m_setup.retention, nowMs))
            m_ageAtMs = nowMs + ageEveryMs; // nothing is old enough at present
    }
    if (const QSqlError why = m_ageing->error(); why.isValid())
        return failToAge(why);
    if (std::exchange(m_growing, false))
        emit recovered();
    if (nowMs - m_measuredMs >= measureEveryMs) {
        m_measuredMs = nowMs;
        emit measured(m_ageing->measure(m_setup.retention));
    }
}

void RecordWriter::ageAll()
{
    if (!ensureOpen())
        return;
    while (m_ageing->step(m_setup.retention, m_setup.clock->nowMs())) {
    }
    emit measured(m_ageing->measure(m_setup.retention));
}

} // namespace lk
