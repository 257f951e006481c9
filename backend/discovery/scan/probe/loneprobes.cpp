// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/probe/loneprobes.h"

#include "backend/discovery/scan/probe/keyprobe.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace lk {

namespace {

constexpr int retryMs = 50;

// Removes the commands that read content from a probe. A key whose content is too large can still
// be judged by its name and siblings. Returns true if there was such a command.
bool leaveOutContent(Probe& probe, const ServerVersion& server)
{
    const std::vector<Command> content = contentCommands(probe, server);
    return std::erase_if(probe.asked, [&](const Command& command) {
               return std::find(content.begin(), content.end(), command) != content.end();
           }) > 0;
}

} // namespace

LoneProbes::LoneProbes(Link& connection, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
{}

void LoneProbes::begin()
{
    if (!std::exchange(m_active, true))
        soon(0, [this] { next(); });
}

void LoneProbes::add(Suspects suspects)
{
    m_suspects.push_back(std::move(suspects));
    begin();
}

void LoneProbes::later(std::function<void()> step)
{
    m_later.push_back(std::move(step));
}

void LoneProbes::clear()
{
    ++m_run;
    m_active = false;
    m_oversized.reset();
    m_suspects.clear();
    m_later.clear();
}

void LoneProbes::soon(int ms, std::function<void()> step)
{
    QTimer::singleShot(ms, this, [this, run = m_run, step = std::move(step)] {
        if (run == m_run)
            step();
    });
}

void LoneProbes::next()
{
    if (!m_connection.isReady()) {
        const ConnectionStatus& status = m_connection.status();
        if (status.phase == ConnectionStatus::Phase::Lost && status.nextTryInMs == 0)
            return emit failed(status.error);
        return soon(retryMs, [this] { next(); });
    }
    if (!m_suspects.empty())
        return ask(0);
    m_active = false;
    for (const auto& step : std::exchange(m_later, {}))
        step();
}

void LoneProbes::ask(size_t index)
{
    const quint64 run = m_run;
    if (index >= m_suspects.front().probes.size()) {
        const auto done = std::move(m_suspects.front().done);
        m_suspects.pop_front();
        done();
        if (run == m_run)
            next();
        return;
    }
    if (!m_connection.isReady())
        return soon(retryMs, [this, index] { ask(index); });
    Probe& probe = m_suspects.front().probes[index];
    probe.replies.clear();
    m_suspects.front().send(probe.asked,
                            [this, run, index, asked = probe.asked](const BatchResult& result) {
                                if (run == m_run)
                                    onReply(index, asked, result);
                            });
}

void LoneProbes::onReply(size_t index, const std::vector<Command>& asked, const BatchResult& result)
{
    if (!result && m_oversized.judge(result.error(), true) != OversizedReplies::Verdict::GiveUp)
        return emit failed(result.error());
    const Suspects& suspects = m_suspects.front();
    Probe& probe = m_suspects.front().probes[index];
    if (!result && leaveOutContent(probe, serverVersion(m_connection.greeting())))
        return ask(index);
    std::optional<Error> problem = result ? std::nullopt : std::optional(result.error());
    probe.nowMs = suspects.serverMs();
    for (size_t i = 0; !problem && i < asked.size(); ++i)
        problem = takeProbeReply(probe, asked[i], (*result)[i]);
    const quint64 run = m_run;
    const auto judged = suspects.judged; // the callback may clear the suspects
    judged(std::exchange(probe, {}), problem);
    if (run == m_run)
        ask(index + 1);
}

} // namespace lk
