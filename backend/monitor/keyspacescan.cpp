// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/keyspacescan.h"

#include "backend/layouts/replyvalues.h"
#include "backend/redis/serverinfo.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>

namespace lk {

// A slice passes three round trips: SCAN, TYPE of each name, the probes of each type.
struct KeyspaceScan::Slice
{
    quint64 run = 0;
    std::vector<QByteArray> names;
    std::vector<Probe> probes;
    std::shared_ptr<ScanSlice> result = std::make_shared<ScanSlice>();
    qint64 startedMs = 0;
};

namespace {

void fillHash(Probe& probe, const Command& command, const Reply& reply)
{
    const auto& args = command.args();
    for (size_t i = 0; i < reply.items.size() && i + 2 < args.size(); ++i) {
        if (reply.items[i].isText())
            probe.fields.emplace_back(args[i + 2], reply.items[i].text);
    }
}

// Takes one reply into the probe; false where it is an error.
bool take(Probe& probe, const Command& command, Reply reply)
{
    if (reply.isError())
        return false;
    const QByteArray& verb = command.args().front();
    if (verb == "PTTL") {
        if (reply.integer >= 0)
            probe.ttlMs = reply.integer;
    } else if (verb == "GETRANGE") {
        probe.head = reply.text;
    } else if (verb == "ZRANGE") {
        probe.members = scoredMembersOf(reply);
    } else if (verb == "HLEN") {
        probe.length = reply.integer;
    } else if (verb == "HMGET") {
        fillHash(probe, command, reply);
    } else if (verb == "TYPE") {
        probe.siblings.push_back({command.args()[1], keyTypeFromName(reply.text)});
    }
    probe.replies.push_back(std::move(reply));
    return true;
}

} // namespace

KeyspaceScan::KeyspaceScan(Connection& connection, const Classifier& classifier, const Clock& local,
                           Options options, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
    , m_classifier(classifier)
    , m_local(local)
    , m_options(std::move(options))
{}

void KeyspaceScan::start()
{
    ++m_run;
    m_cursor = QByteArrayLiteral("0");
    m_underWay = 0;
    m_running = true;
    m_cursorDone = false;
    m_scanAsked = false;
    m_careful = false;
    m_suspects.clear();
    m_later.clear();
    m_scanRetries = 0;
    scanNext();
}

void KeyspaceScan::setHeld(bool held)
{
    if (std::exchange(m_held, held) && !held && m_running)
        continueOrFinish();
}

void KeyspaceScan::look(std::vector<QByteArray> names)
{
    auto slice = std::make_shared<Slice>();
    slice->run = m_run;
    slice->result->outside = true;
    slice->startedMs = m_local.nowMs();
    slice->names = std::move(names);
    askTypes(slice);
}

void KeyspaceScan::scanNext()
{
    if (m_careful)
        return later([this] { scanNext(); });
    if (m_held || m_scanAsked || m_cursorDone || m_underWay >= m_options.slicesUnderWay)
        return;
    m_scanAsked = true;
    ++m_underWay;
    Command scan{"SCAN", m_cursor, "COUNT", QByteArray::number(m_options.count)};
    if (!m_options.match.isEmpty())
        scan << "MATCH" << m_options.match;
    m_connection.send({scan},
                      this, [this, run = m_run](const BatchResult& result) {
                          if (run == m_run)
                              onScanned(result);
                      });
}

void KeyspaceScan::onScanned(const BatchResult& result)
{
    m_scanAsked = false;
    if (!result && result.error().code == ErrorCode::ReplyTooLarge && ++m_scanRetries < 4) {
        --m_underWay;
        beCareful();
        return scanNext();
    }
    if (!result)
        return fail(result.error());
    m_scanRetries = 0;
    const Reply& reply = result->front();
    if (reply.isError())
        return fail(errorFromReply(reply.text));
    if (reply.items.size() != 2 || !reply.items[1].isArray())
        return fail({ErrorCode::Protocol, QStringLiteral("SCAN")});

    m_cursor = reply.items[0].text;
    m_cursorDone = m_cursor == "0";
    auto slice = std::make_shared<Slice>();
    slice->run = m_run;
    slice->startedMs = m_local.nowMs();
    slice->result->commands = 1;
    slice->names.reserve(reply.items[1].items.size());
    for (const Reply& name : reply.items[1].items) {
        ++slice->result->names;
        if (m_options.isKnown && m_options.isKnown(name.text))
            ++slice->result->known;
        else
            slice->names.push_back(name.text);
    }
    askTypes(slice);
    if (!m_options.pause)
        scanNext(); // the next SCAN goes out before this slice is looked at
}

void KeyspaceScan::askTypes(const SlicePtr& slice)
{
    if (slice->names.empty())
        return deliver(slice);
    if (m_careful)
        return later([this, slice] { askTypes(slice); });
    std::vector<Command> batch;
    batch.reserve(slice->names.size());
    for (const QByteArray& name : slice->names)
        batch.push_back(Command{QByteArrayLiteral("TYPE"), name});
    slice->result->commands += qint64(batch.size());
    m_connection.send(batch, this, [this, slice](const BatchResult& result) {
        if (slice->run != m_run)
            return;
        if (!result && result.error().code == ErrorCode::ReplyTooLarge) {
            beCareful();
            return askTypes(slice);
        }
        if (!result)
            return fail(result.error());
        onTypes(slice, *result);
    });
}

void KeyspaceScan::onTypes(const SlicePtr& slice, const std::vector<Reply>& replies)
{
    ScanSlice& counts = *slice->result;
    for (size_t i = 0; i < replies.size(); ++i) {
        if (replies[i].isError()) {
            ++counts.skipped;
            if (!counts.firstError)
                counts.firstError = errorFromReply(replies[i].text);
            continue;
        }
        const KeyType type = keyTypeFromName(replies[i].text);
        if (type == KeyType::None) {
            ++counts.vanished;
        } else if (!m_classifier.wants(type)) {
            ++counts.unwanted;
        } else {
            Probe probe;
            probe.name = slice->names[i];
            probe.type = type;
            slice->probes.push_back(std::move(probe));
        }
    }
    askProbes(slice);
}

void KeyspaceScan::addProbeCommands(std::vector<Command>& commands, const Probe& probe) const
{
    using namespace probecommands;
    if (probe.type == KeyType::String) {
        commands.push_back(head(probe.name));
    } else if (probe.type == KeyType::ZSet) {
        commands.push_back(lowestMembers(probe.name));
    } else if (probe.type == KeyType::Hash) {
        commands.push_back(hashLength(probe.name));
        commands.push_back(hashFields(probe.name, m_classifier.hashFields()));
    }
    commands.push_back(ttl(probe.name));
    for (const QByteArray& sibling : m_classifier.siblings(probe.name, probe.type))
        commands.push_back(Command{QByteArrayLiteral("TYPE"), sibling});
}

void KeyspaceScan::askProbes(const SlicePtr& slice)
{
    if (slice->probes.empty())
        return deliver(slice);
    if (m_careful)
        return later([this, slice] { askProbes(slice); });
    std::vector<Command> batch;
    batch.reserve(slice->probes.size() * 3 + 1);
    batch.push_back(Command{QByteArrayLiteral("TIME")});
    std::vector<size_t> ends;
    for (const Probe& probe : slice->probes) {
        addProbeCommands(batch, probe);
        ends.push_back(batch.size());
    }
    slice->result->commands += qint64(batch.size());
    m_connection.send(batch, this, [this, slice](BatchResult result) {
        if (slice->run != m_run)
            return;
        if (!result && result.error().code == ErrorCode::ReplyTooLarge) {
            m_suspects.push_back(slice);
            return beCareful();
        }
        if (!result)
            return fail(result.error());
        onProbes(slice, std::move(*result));
    });
    auto next = std::make_move_iterator(batch.begin() + 1);
    for (size_t i = 0; i < ends.size(); ++i) {
        const auto end = std::make_move_iterator(batch.begin() + ptrdiff_t(ends[i]));
        slice->probes[i].asked.assign(next, end);
        next = end;
    }
}

void KeyspaceScan::later(std::function<void()> step)
{
    m_later.push_back(std::move(step));
}

// One key's value passed the cap and took the connection with it, and with that all that was under
// way. Each key of the suspects is asked for alone, with nothing else beside it that could be
// blamed, so that only the one is lost; all else is asked again afterwards.
void KeyspaceScan::beCareful()
{
    if (!std::exchange(m_careful, true))
        QTimer::singleShot(0, this, [this, run = m_run] {
            if (run == m_run)
                carefully();
        });
}

void KeyspaceScan::carefully()
{
    if (!m_connection.isReady()) {
        const ConnectionStatus& status = m_connection.status();
        if (status.phase == ConnectionStatus::Phase::Lost && status.nextTryInMs == 0)
            return fail(status.error);
        QTimer::singleShot(50, this, [this, run = m_run] {
            if (run == m_run)
                carefully();
        });
        return;
    }
    if (!m_suspects.empty())
        return probeAlone(m_suspects.front(), 0);
    m_careful = false;
    for (const auto& step : std::exchange(m_later, {}))
        step();
}

void KeyspaceScan::probeAlone(const SlicePtr& slice, size_t index)
{
    if (index >= slice->probes.size()) {
        m_suspects.pop_front();
        std::erase_if(slice->probes, [](const Probe& p) { return p.replies.empty(); });
        slice->result->probes = std::move(slice->probes);
        deliver(slice);
        if (slice->run == m_run)
            carefully();
        return;
    }
    if (!m_connection.isReady()) {
        QTimer::singleShot(50, this, [this, slice, index] {
            if (slice->run == m_run)
                probeAlone(slice, index);
        });
        return;
    }
    Probe& probe = slice->probes[index];
    probe.replies.clear();
    std::vector<Command> batch = probe.asked;
    batch.insert(batch.begin(), Command{QByteArrayLiteral("TIME")});
    slice->result->commands += qint64(batch.size());
    m_connection.send(batch, this, [this, slice, index, batch](const BatchResult& result) {
        if (slice->run != m_run)
            return;
        if (!result && result.error().code != ErrorCode::ReplyTooLarge)
            return fail(result.error());
        Probe& asked = slice->probes[index];
        bool ok = bool(result);
        for (size_t i = 0; ok && i < batch.size(); ++i) {
            if (i == 0)
                asked.nowMs = timeFromReply((*result)[0]).value_or(0);
            else
                ok = take(asked, batch[i], (*result)[i]);
        }
        if (!ok) {
            asked.replies.clear();
            ++slice->result->skipped;
            if (!result && !slice->result->firstError)
                slice->result->firstError = result.error();
        }
        probeAlone(slice, index + 1);
    });
}

void KeyspaceScan::onProbes(const SlicePtr& slice, std::vector<Reply> replies)
{
    const qint64 nowMs = timeFromReply(replies.front())
                             .value_or(m_clock.serverMs(m_local.nowMs()));
    size_t next = 1;
    ScanSlice& out = *slice->result;
    out.probes.reserve(slice->probes.size());
    for (Probe& probe : slice->probes) {
        probe.nowMs = nowMs;
        probe.replies.reserve(probe.asked.size());
        bool ok = true;
        for (const Command& command : probe.asked) {
            Reply& reply = replies[next++];
            if (ok && reply.isError()) {
                ok = false;
                ++out.skipped;
                if (!out.firstError)
                    out.firstError = errorFromReply(reply.text);
            } else if (ok) {
                take(probe, command, std::move(reply));
            }
        }
        if (ok)
            out.probes.push_back(std::move(probe));
    }
    deliver(slice);
}

void KeyspaceScan::deliver(const SlicePtr& slice)
{
    slice->result->tookMs = m_local.nowMs() - slice->startedMs;
    if (slice->result->outside) {
        emit sliceReady(slice->result);
        return;
    }
    --m_underWay;
    QPointer<KeyspaceScan> self(this);
    const quint64 run = m_run;
    emit sliceReady(slice->result);
    if (!self || run != m_run || !m_running)
        return;
    if (!m_options.pause)
        return continueOrFinish();
    const int pauseMs = m_options.pause(slice->result->tookMs);
    QTimer::singleShot(pauseMs, this, [this, run] {
        if (run == m_run && m_running)
            continueOrFinish();
    });
}

void KeyspaceScan::continueOrFinish()
{
    if (!m_cursorDone) {
        scanNext();
    } else if (m_underWay == 0) {
        m_running = false;
        emit finished();
    }
}

void KeyspaceScan::fail(const Error& error)
{
    ++m_run; // also drops what look() asked for
    m_careful = false;
    if (std::exchange(m_running, false))
        emit failed(error);
}

} // namespace lk
