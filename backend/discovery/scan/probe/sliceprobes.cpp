// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/probe/sliceprobes.h"

#include "backend/core/derived/clockofall.h"
#include "backend/discovery/scan/probe/keyprobe.h"
#include "backend/redis/server/serverinfo.h"

#include <algorithm>

namespace lk {

namespace {

// Whether the content confirms the type. The server refuses to read the content of a key of another
// type, and returns nothing for a missing key, except for a stream's groups, where that is an
// error. So the type of an empty string is read as well; there are few.
bool bearsOut(KeyType type, const Reply& content)
{
    if (content.isArray())
        return type == KeyType::Stream || !content.items.empty();
    return !content.isError() && content.isText() && !content.text.isEmpty();
}

} // namespace

void SliceProbes::add(const QByteArray& name, KeyType type, bool expected)
{
    Probe& probe = m_probes.emplace_back();
    probe.name = name;
    probe.type = type;
    m_types.push_back(expected ? Type::Expected : Type::Known);
}

bool SliceProbes::areExpected() const
{
    return std::ranges::any_of(m_types, [](Type type) { return type != Type::Known; });
}

std::vector<QByteArray> SliceProbes::unexpected() const
{
    std::vector<QByteArray> names;
    for (size_t i = 0; i < m_probes.size(); ++i) {
        if (m_types[i] == Type::Unexpected)
            names.push_back(m_probes[i].name);
    }
    return names;
}

void SliceProbes::ask(const ServerVersion& server, bool timed)
{
    m_problems.resize(m_probes.size());
    m_commands.reserve(m_probes.size() * 3 + 1);
    m_ends.reserve(m_probes.size());
    m_timed = timed;
    if (timed)
        m_commands.push_back(Command{QByteArrayLiteral("TIME")});
    for (Probe& probe : m_probes) {
        addProbeCommands(m_commands, probe, server);
        m_ends.push_back(m_commands.size());
    }
}

void SliceProbes::keepCommands()
{
    auto next = std::make_move_iterator(m_commands.begin() + (isTimed() ? 1 : 0));
    for (size_t i = 0; i < m_ends.size(); ++i) {
        const auto end = std::make_move_iterator(m_commands.begin() + ptrdiff_t(m_ends[i]));
        std::vector<Command>& asked = m_probes[i].asked;
        asked.insert(asked.end(), next, end);
        next = end;
    }
    m_commands.clear();
}

void SliceProbes::take(std::vector<Reply> replies, qint64 nowMs, bool ofOther,
                       const Classifier& classifier)
{
    read(std::move(replies), nowMs, ofOther);
    if (m_further)
        judgeAsked(classifier);
    else
        askFurther(classifier);
}

void SliceProbes::read(std::vector<Reply> replies, qint64 nowMs, bool ofOther)
{
    size_t next = isTimed() ? 1 : 0;
    if (isTimed()) {
        const qint64 ownMs = timeFromReply(replies.front()).value_or(nowMs);
        m_shiftMs = ofOther ? nowMs - ownMs : 0;
        nowMs = ownMs;
    }
    for (size_t i = 0; i < m_probes.size(); ++i) {
        Probe& probe = m_probes[i];
        if (!m_further)
            probe.nowMs = nowMs;
        probe.replies.reserve(probe.asked.size());
        for (; next < m_ends[i]; ++next) {
            const Command& command = probe.asked[probe.replies.size()];
            if (m_types[i] == Type::Expected && probe.replies.empty() &&
                !bearsOut(probe.type, replies[next])) {
                m_types[i] = Type::Unexpected;
                m_problems[i] = Error{ErrorCode::NotFound, {}};
            }
            if (!m_problems[i])
                m_problems[i] = takeProbeReply(probe, command, std::move(replies[next]));
        }
    }
}

// Probes that need no further commands are judged at once, while their data is in the cache.
void SliceProbes::askFurther(const Classifier& classifier)
{
    m_further = true;
    m_ends.clear();
    m_results.resize(m_probes.size());
    for (size_t i = 0; i < m_probes.size(); ++i) {
        const size_t before = m_commands.size();
        if (!m_problems[i])
            addFurtherCommands(m_commands, m_probes[i], classifier);
        if (m_commands.size() == before)
            judge(i, classifier);
        m_ends.push_back(m_commands.size());
    }
}

void SliceProbes::judgeAsked(const Classifier& classifier)
{
    m_commands.clear();
    for (size_t i = 0; i < m_probes.size(); ++i) {
        if (m_ends[i] > (i == 0 ? 0 : m_ends[i - 1]))
            judge(i, classifier);
    }
}

void SliceProbes::judge(size_t i, const Classifier& classifier)
{
    if (m_problems[i])
        return;
    m_results[i] = lk::judge(classifier, m_probes[i]);
    if (m_results[i].decoded)
        tellByClockOfAll(m_results[i].decoded->state, m_shiftMs);
}

void SliceProbes::moveInto(ScanSlice& slice)
{
    const bool whole =
        slice.probes.empty() && slice.results.empty() &&
        std::ranges::none_of(m_types, [](Type t) { return t == Type::Unexpected; }) &&
        std::ranges::none_of(m_problems, [](const auto& problem) { return problem.has_value(); });
    if (whole) { // nearly always
        slice.probes = std::move(m_probes);
        slice.results = std::move(m_results);
        return;
    }
    slice.probes.reserve(m_probes.size());
    slice.results.reserve(m_results.size());
    for (size_t i = 0; i < m_probes.size(); ++i) {
        if (m_types[i] == Type::Unexpected) {
            continue; // it is probed again
        } else if (m_problems[i]) {
            slice.leaveOut(m_probes[i], *m_problems[i]);
        } else {
            slice.probes.push_back(std::move(m_probes[i]));
            slice.results.push_back(std::move(m_results[i]));
        }
    }
}

} // namespace lk
