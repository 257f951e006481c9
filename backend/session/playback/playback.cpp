// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/playback/playback.h"

#include "backend/core/derived/agedstate.h"
#include "backend/session/sessionhistory.h"

#include <algorithm>
#include <utility>

namespace lk {

namespace {

constexpr int stepMs = 250;
constexpr qint64 restPerWork = 2; // the pause between steps, as a multiple of a step's work
constexpr qint64 againMs = 1000;  // how often running times are emitted again
constexpr quint64 generation = 1; // of the only connection

// INFO as the server would have sent it, with the recorded fields only.
QByteArray infoText(const ServerFacts& server)
{
    QByteArrayList lines;
    const auto add = [&](const char* field, const QString& value) {
        if (!value.isEmpty())
            lines << field + (':' + value.toUtf8());
    };
    const QString flavour = flavourName(server.flavour);
    const bool own = server.flavour == Flavour::Valkey || server.flavour == Flavour::Dragonfly;
    add(own ? (flavour + QLatin1String("_version")).toLatin1().constData() : "redis_version",
        server.version);
    add("server_name", server.flavour == Flavour::KeyDb ? flavour : QString());
    add("redis_mode", serverModeName(server.mode));
    add("role", nodeRoleName(server.role));
    const qsizetype colon = server.master.lastIndexOf(u':');
    add("master_host", server.master.left(colon).remove(u'[').remove(u']'));
    add("master_port", server.master.mid(colon + 1));
    switch (server.masterLink) {
    case MasterLink::Unknown:
        break;
    case MasterLink::Up:
        lines << "master_link_status:up";
        break;
    case MasterLink::Syncing:
        lines << "master_link_status:down"
              << "master_sync_in_progress:1";
        break;
    case MasterLink::NeverUp:
        lines << "master_link_down_since_seconds:-1";
        [[fallthrough]];
    case MasterLink::Down:
        lines << "master_link_status:down";
        break;
    }
    switch (server.diskError) {
    case DiskError::None:
        break;
    case DiskError::AppendOnlyFile:
        lines << "aof_enabled:1"
              << "aof_last_write_status:err";
        break;
    case DiskError::Snapshot:
        lines << "rdb_last_bgsave_status:err";
        break;
    }
    return lines.join('\n');
}

} // namespace

Playback::Playback(Setup setup)
    : m_setup(std::move(setup))
    , m_atMs(m_setup.atMs)
{
    m_step.setInterval(stepMs);
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_step, &QTimer::timeout, this, &Playback::advance);
    connect(&m_soon, &QTimer::timeout, this, &Playback::present);
}

Playback::~Playback() = default;

void Playback::start()
{
    for (const auto& [handle, state] : m_setup.known) {
        const PrimitiveId id = recordedIdOf(*state.primitive());
        m_handles.insert(id, handle);
        m_known.insert(id, state.primitive());
    }
    m_places = m_setup.known.places();
    m_setup.known = {};
    m_queries = std::make_unique<RecordQueries>(m_setup.path);
    if (const Result<void> opened = m_queries->open(); !opened) {
        m_queries.reset();
        emit failed(opened.error());
        return;
    }
    ConnectionStatus status;
    status.phase = ConnectionStatus::Phase::Ready;
    status.generation = generation;
    emit statusChanged(status);
    m_soon.start();
}

void Playback::stop()
{
    m_step.stop();
    m_soon.stop();
    m_queries.reset();
}

void Playback::consumed()
{
    m_consumed = true;
    if (std::exchange(m_waiting, false))
        m_soon.start();
}

void Playback::seek(qint64 tMs)
{
    m_atMs = tMs;
    m_since.restart();
    m_soon.start();
}

void Playback::play(double speed, qint64 untilMs)
{
    m_speed = speed;
    m_untilMs = untilMs;
    m_since.restart();
    if (speed > 0)
        m_step.start();
    else
        m_step.stop();
}

void Playback::advance()
{
    const qint64 passedMs = m_since.restart();
    m_untilMs += passedMs; // the present advances meanwhile
    m_atMs += qint64(double(passedMs) * m_speed);
    if (m_atMs < m_untilMs)
        return present();
    m_step.stop();
    emit ended();
}

// Emits one moment at a time. While the window processes the last one, only the moment advances.
void Playback::present()
{
    if (!m_queries)
        return;
    if (!m_consumed) {
        m_waiting = true;
        return;
    }
    QElapsedTimer cost;
    cost.start();
    emitMoment(m_queries->momentAt(m_setup.deployment, m_atMs, &m_memory));
    // Charts use the same thread. With a hundred thousand primitives it plays in larger steps.
    m_step.setInterval(int(std::max<qint64>(stepMs, cost.elapsed() * restPerWork)));
}

Handle Playback::handleOf(const Primitive& primitive)
{
    auto it = m_handles.find(primitive.id);
    if (it == m_handles.end())
        it = m_handles.insert(primitive.id, Handle(m_places++, pastGeneration));
    return *it;
}

void Playback::emitMoment(const RecordedMoment& moment)
{
    auto delta = std::make_shared<Delta>();
    delta->generation = generation;
    delta->atMs = moment.atMs;
    delta->scan = moment.scan;
    delta->scan.complete = true; // the recording is complete at once
    QSet<Handle> there;
    there.reserve(qsizetype(moment.states.size()));
    for (const RecordedState& recorded : moment.states) {
        const Handle handle = handleOf(*recorded.primitive);
        there.insert(handle);
        Shown& shown = m_shown[handle];
        const bool same = shown.recorded && shown.atMs == recorded.atMs;
        if (same && (shown.emittedMs == moment.atMs || !runsWithTime(*shown.recorded) ||
                     std::abs(moment.atMs - shown.emittedMs) < againMs))
            continue;
        if (!same) {
            auto state = std::make_shared<State>(*recorded.state);
            if (const PrimitivePtr known = m_known.value(recorded.primitive->id))
                state->primitive = known;
            shown = {std::move(state), recorded.atMs, 0};
        }
        shown.emittedMs = moment.atMs;
        delta->changes.push_back({handle, agedState(shown.recorded, moment.atMs)});
    }
    for (auto it = m_shown.begin(); it != m_shown.end();) {
        if (there.contains(it.key())) {
            ++it;
            continue;
        }
        delta->changes.push_back({it.key(), nullptr});
        it = m_shown.erase(it);
    }
    report(moment); // the time first, as the rest depends on it
    emit findingsRecorded(findingsOf(moment, there));
    if (const QByteArray info = infoText(moment.server); std::exchange(m_info, info) != info)
        emit infoReady(ServerInfo::fromReply(Reply::bulk(info)));
    m_consumed = false;
    emit deltaReady(std::move(delta));
    emit shown(moment.atMs, moment.blind ? std::max<qint64>(moment.blind->fromMs, 1) : 0);
}

PastFindings Playback::findingsOf(const RecordedMoment& moment, const QSet<Handle>& there) const
{
    PastFindings findings;
    findings.atMs = moment.atMs;
    findings.open.reserve(moment.findings.size());
    for (const RecordedFinding& open : moment.findings) {
        const Handle handle = m_handles.value(open.primitive, noHandle);
        findings.open.push_back(
            {open.finding, open.sinceMs, there.contains(handle) ? handle : noHandle});
    }
    return findings;
}

void Playback::report(const RecordedMoment& moment)
{
    MonitorReport report;
    report.atMs = moment.atMs;
    report.scan = moment.scan;
    report.scan.complete = true;
    report.firstScan = false;
    report.nodes = moment.server.nodes;
    report.primitives = qint64(moment.states.size());
    emit reported(report);
}

} // namespace lk
