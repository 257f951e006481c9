// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that a scan sends about the names of one slice.
#include "backend/discovery/scan/keyspaceslice.h"
#include "backend/discovery/scan/probe/keyprobe.h"

#include <QPointer>

#include <algorithm>

namespace lk {

namespace {

constexpr int mostTypeTries = 4; // limit for one slice; other slices may have closed the connection

// The error does not concern one key: no key can be read.
const Reply* clusterDownIn(const std::vector<Reply>& replies)
{
    const auto it = std::find_if(replies.begin(), replies.end(), [](const Reply& reply) {
        return reply.isError() && reply.text.startsWith("CLUSTERDOWN The cluster is down");
    });
    return it == replies.end() ? nullptr : &*it;
}

} // namespace

void KeyspaceScan::askTypes(const SlicePtr& slice)
{
    if (slice->expects) {
        slice->probes.reserve(slice->names.size());
        std::erase_if(slice->names, [&](const QByteArray& name) {
            const KeyType type = m_types.of(name);
            if (type != KeyType::None)
                slice->probes.add(name, type, true);
            return type != KeyType::None;
        });
    }
    if (slice->names.empty())
        return askProbes(slice);
    paced(qint64(slice->names.size()), [this, slice] { sendTypes(slice); });
}

void KeyspaceScan::sendTypes(const SlicePtr& slice)
{
    if (m_alone.isActive())
        return m_alone.later([this, slice] { sendTypes(slice); });
    std::vector<Command> batch;
    batch.reserve(slice->names.size());
    for (const QByteArray& name : slice->names)
        batch.push_back(Command{QByteArrayLiteral("TYPE"), name});
    sendTimed(slice, batch, [this, slice](const BatchResult& result) {
        if (!result && result.error().code == ErrorCode::ReplyTooLarge &&
            ++slice->typeTries < mostTypeTries) {
            m_alone.begin();
            return sendTypes(slice);
        }
        if (!result)
            return fail(result.error());
        onTypes(slice, *result);
    });
}

void KeyspaceScan::onTypes(const SlicePtr& slice, const std::vector<Reply>& replies)
{
    if (const Reply* down = clusterDownIn(replies))
        return fail(errorFromReply(down->text));
    ScanSlice& counts = *slice->result;
    for (size_t i = 0; i < replies.size(); ++i) {
        if (replies[i].isError()) {
            counts.unread.push_back({slice->names[i], errorFromReply(replies[i].text)});
            continue;
        }
        const KeyType type = keyTypeFromName(replies[i].text);
        if (m_classifier.wants(type))
            m_types.learn(slice->names[i], type);
        if (type == KeyType::None) {
            ++counts.vanished;
        } else if (!m_classifier.wants(type)) {
            ++counts.unwanted;
        } else {
            slice->probes.add(slice->names[i], type, false);
        }
    }
    slice->names.clear();
    askProbes(slice);
}

void KeyspaceScan::askProbes(const SlicePtr& slice)
{
    if (slice->probes.isEmpty())
        return deliver(slice);
    slice->probes.ask(serverVersion(m_connection.greeting()), m_clock.source == TimeSource::Server);
    paced(qint64(slice->probes.commands().size()), [this, slice] { sendProbes(slice); });
}

void KeyspaceScan::sendProbes(const SlicePtr& slice)
{
    if (m_alone.isActive())
        return m_alone.later([this, slice] { sendProbes(slice); });
    sendTimed(slice, slice->probes.commands(), [this, slice](BatchResult result) {
        if (!result &&
            OversizedReplies().judge(result.error(), false) == OversizedReplies::Verdict::AskAlone)
            return slice->probes.areExpected() ? askForTypesAfterAll(slice) : probeAlone(slice);
        if (!result)
            return fail(result.error());
        if (const Reply* down = clusterDownIn(*result))
            return fail(errorFromReply(down->text));
        judge(slice, std::move(*result));
    });
    slice->probes.keepCommands();
    judgeNext();
}

// A key that is probed alone needs a known type.
void KeyspaceScan::askForTypesAfterAll(const SlicePtr& slice)
{
    m_alone.begin();
    slice->expects = false;
    for (Probe& probe : slice->probes.take())
        slice->names.push_back(std::move(probe.name));
    slice->probes = {};
    sendTypes(slice);
}

void KeyspaceScan::probeAlone(const SlicePtr& slice)
{
    const ServerVersion server = serverVersion(m_connection.greeting());
    LoneProbes::Suspects suspects;
    for (const Probe& asked : slice->probes.take()) {
        Probe& probe = suspects.probes.emplace_back();
        probe.name = asked.name;
        probe.type = asked.type;
        addProbeCommands(probe.asked, probe, server);
        addFurtherCommands(probe.asked, probe, m_classifier); // all at once
    }
    suspects.send = [this, slice](const std::vector<Command>& batch, BatchHandler handler) {
        sendTimed(slice, batch, std::move(handler));
    };
    suspects.serverMs = [this] { return m_clock.serverMs(m_local.nowMs()); };
    suspects.judged = [this, slice](Probe probe, const std::optional<Error>& problem) {
        emit advanced();
        if (problem)
            slice->result->leaveOut(probe, *problem);
        else
            deliverAlone(slice, std::move(probe));
    };
    suspects.done = [this, slice] { deliver(slice); };
    m_alone.add(std::move(suspects));
}

// Delivers a key at once, so that the large values of a slice are not kept together.
void KeyspaceScan::deliverAlone(const SlicePtr& slice, Probe probe)
{
    auto part = std::make_shared<ScanSlice>();
    part->outside = slice->result->outside;
    part->expected = slice->result->expected;
    part->probes.push_back(std::move(probe));
    emit sliceReady(part);
}

void KeyspaceScan::judge(const SlicePtr& slice, std::vector<Reply> replies)
{
    const qint64 nowMs = m_clock.serverMs(m_local.nowMs());
    const bool ofOther = m_clock.known() && m_options.ofOther && m_options.ofOther();
    m_unjudged.push_back([this, slice, nowMs, ofOther, replies = std::move(replies)]() mutable {
        slice->probes.take(std::move(replies), nowMs, ofOther, m_classifier);
        onJudged(slice);
    });
    if (m_awaited == 0)
        judgeNext();
}

// Waits until the server has work, so that both work in parallel.
void KeyspaceScan::judgeNext()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_unjudged.empty())
                return;
            const auto work = std::move(m_unjudged.front());
            m_unjudged.pop_front();
            const QPointer<KeyspaceScan> self(this);
            work();
            if (self && m_awaited == 0)
                judgeNext();
        },
        Qt::QueuedConnection);
}

void KeyspaceScan::answered()
{
    if (--m_awaited == 0)
        judgeNext();
}

void KeyspaceScan::onJudged(const SlicePtr& slice)
{
    if (const auto& further = slice->probes.commands(); !further.empty())
        return paced(qint64(further.size()), [this, slice] { sendProbes(slice); });
    slice->names = slice->probes.unexpected();
    for (const QByteArray& name : slice->names)
        m_types.wasWrong(name);
    slice->probes.moveInto(*slice->result);
    if (slice->names.empty())
        return deliver(slice);
    slice->expects = false;
    slice->probes = {};
    askTypes(slice);
}

} // namespace lk
