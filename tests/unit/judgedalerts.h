// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/rules/alertengine.h"
#include "backend/config/config.h"
#include "tests/unit/madestates.h"

namespace lk::test {

using Type = AlertEvent::Type;

inline constexpr qint64 second = 1000;
inline constexpr qint64 minute = 60 * second;
inline constexpr qint64 start = 1'700'000'000'000;

inline AlertSettings settings(const QByteArray& toml)
{
    const Result<Config> config =
        parseConfig("[alerts]\nbuilt_in = false\n" + toml, QStringLiteral("t.toml"));
    return config ? config->alerts : AlertSettings();
}

inline DeltaPtr delta(Handle handle, const State& state)
{
    auto delta = std::make_shared<Delta>();
    delta->changes.push_back({handle, std::make_shared<State>(state)});
    return delta;
}

inline DeltaPtr goneDelta(Handle handle)
{
    auto delta = std::make_shared<Delta>();
    delta->changes.push_back({handle, nullptr});
    return delta;
}

inline State queue(qint64 ready, qint64 dead = 0, const QByteArray& name = "mail:a")
{
    State state = queueState({}, start, ready, name);
    state.body.get<QueueState>().dead = dead;
    return state;
}

inline State heldLock(qint64 sinceMs, qint64 atMs)
{
    State state = lockState("me", 600'000, atMs);
    state.observed.sinceMs = sinceMs;
    return state;
}

inline LiveFindings findings(const QByteArrayList& names, const QByteArray& code = "queue-stuck")
{
    LiveFindings all;
    for (const QByteArray& name : names) {
        LiveFinding live;
        live.handle = Handle(1);
        live.finding = {code, Finding::Severity::Error, name, name, QStringLiteral("stuck")};
        live.finding.kind = Kind::Queue;
        all.rows.push_back(std::make_shared<LiveFinding>(live));
    }
    return all;
}

/// "+name" and "-name" of what happens by then.
inline QByteArrayList by(AlertEngine& engine, qint64 ms)
{
    QByteArrayList all;
    for (const AlertEvent& event : engine.advance(ms))
        all << (event.type == Type::Fired ? "+" : "-") + event.alert->name;
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace lk::test
