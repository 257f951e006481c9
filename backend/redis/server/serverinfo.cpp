// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/server/serverinfo.h"

#include "backend/core/names/keyname.h"
#include "backend/redis/server/capabilities.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cstdlib>

namespace lk {

namespace {

constexpr qsizetype mostFields = 20'000; // some hundreds are usual
constexpr int longestText = 512;         // characters; limits any text from a server
constexpr qint64 serverInfoMostSeconds =
    100'000'000'000; // three thousand years; in milliseconds it fits 64 bits

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ServerInfo)
};

MasterLink linkOf(const ServerInfo& info)
{
    if (!info.isReplica())
        return MasterLink::Unknown;
    const QString status = info.text("master_link_status");
    if (status == QLatin1String("up"))
        return MasterLink::Up;
    if (status.isEmpty())
        return MasterLink::Unknown;
    if (info.number("master_sync_in_progress") == 1)
        return MasterLink::Syncing;
    return info.number("master_link_down_since_seconds").value_or(0) < 0 ? MasterLink::NeverUp
                                                                         : MasterLink::Down;
}

// Empty if there is no failure, or it is not reported.
QString failureIn(const ServerInfo& info, const char* field)
{
    const QString status = info.text(field);
    return status == QLatin1String("ok") ? QString() : status;
}

} // namespace

ServerInfo ServerInfo::fromReply(const Reply& info)
{
    ServerInfo result;
    if (!info.isText())
        return result;
    const QList<QByteArray> lines = info.text.split('\n');
    const QByteArray modules = QByteArrayLiteral("module:name=");
    for (const QByteArray& line : lines) {
        if (result.m_fields.size() >= mostFields)
            break;
        if (line.startsWith("# Modules"))
            result.m_fields.insert("modules_known", QByteArrayLiteral("yes"));
        if (line.startsWith(modules)) // one line per module
            result.m_fields.insert("module_" +
                                       line.mid(modules.size()).split(',').front().trimmed(),
                                   QByteArrayLiteral("yes"));
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && !line.startsWith('#'))
            result.m_fields.insert(line.left(colon), line.mid(colon + 1).trimmed());
    }
    // Valkey has the first one since 8.0, unless configured to be fully Redis compatible.
    for (const char* name : {"server_mode", "redict_mode"}) {
        const QByteArray mode = result.m_fields.value(name);
        if (!mode.isEmpty() && !result.m_fields.contains("redis_mode"))
            result.m_fields.insert("redis_mode", mode);
    }
    return result;
}

void ServerInfo::addConfig(const Reply& config)
{
    for (size_t i = 0; i + 1 < config.items.size(); i += 2) {
        m_fields.insert(config.items[i].text, config.items[i + 1].text);
        m_fields.insert(config.items[i].text + "_known", QByteArrayLiteral("yes"));
    }
}

void ServerInfo::addRole(const Reply& role)
{
    if (role.items.empty() || !role.items[0].isText() || m_fields.contains("role"))
        return;
    if (role.items[0].text == "sentinel") { // it has no data, so it is no master either
        m_fields.insert("redis_mode", role.items[0].text);
        return;
    }
    m_fields.insert("role", role.items[0].text);
    if (!isReplica() || role.items.size() < 4)
        return;
    m_fields.insert("master_host", role.items[1].text);
    m_fields.insert("master_port", QByteArray::number(role.items[2].integer));
    m_fields.insert("master_link_status", role.items[3].text == "connected" ? "up" : "down");
}

bool ServerInfo::lacksModule(const QByteArray& name) const
{
    return m_fields.contains("modules_known") && !m_fields.contains("module_" + name);
}

bool ServerInfo::mayBeClusterNode() const
{
    return version().isEmpty() || mode() == ServerMode::Cluster ||
           number("cluster_enabled").value_or(0) != 0; // ROLE has no version
}

QString ServerInfo::masterEndpoint() const
{
    const QString host = text("master_host");
    if (host.isEmpty())
        return {};
    const bool v6 = host.contains(QLatin1Char(':'));
    const QString all = (v6 ? QLatin1Char('[') + host + QLatin1Char(']') : host) +
                        QLatin1Char(':') + text("master_port");
    return displayName(all.toUtf8()); // the server may send any text
}

bool ServerInfo::mayBeSameProcess(const ServerInfo& other) const
{
    const QString own = text("run_id");
    const QString others = other.text("run_id");
    return own.isEmpty() || others.isEmpty() || own == others;
}

QString ServerInfo::text(const char* field) const
{
    return displayPreview(m_fields.value(field), longestText);
}

std::optional<qint64> ServerInfo::number(const char* field) const
{
    bool ok = false;
    const qint64 value = m_fields.value(field).toLongLong(&ok);
    return ok ? std::optional(value) : std::nullopt;
}

std::optional<qint64> ServerInfo::milliseconds(const char* field) const
{
    const std::optional<qint64> seconds = number(field);
    return seconds ? std::optional(
                         std::clamp(*seconds, -serverInfoMostSeconds, serverInfoMostSeconds) * 1000)
                   : std::nullopt;
}

Durability ServerInfo::durability() const
{
    Durability told;
    if (const std::optional<qint64> on = number("aof_enabled"))
        told.appendOnly = *on == 1;
    told.fsync = text("appendfsync");
    if (text("save_known") == QLatin1String("yes"))
        told.snapshots = !text("save").isEmpty();
    told.lastSnapshotMs = milliseconds("rdb_last_save_time");
    told.unsaved = number("rdb_changes_since_last_save");
    told.failure = told.appendOnly == true ? failureIn(*this, "aof_last_write_status") : QString();
    if (!told.failure.isEmpty())
        told.diskError = DiskError::AppendOnlyFile;
    else if (told.failure = failureIn(*this, "rdb_last_bgsave_status"); !told.failure.isEmpty())
        told.diskError = DiskError::Snapshot;
    told.eviction = text("maxmemory_policy");
    told.maxMemory = number("maxmemory");
    return told;
}

bool ServerInfo::evictsByUse() const
{
    return evictsKeysByUse(text("maxmemory_policy"));
}

QString ServerInfo::loadingText() const
{
    if (number("loading").value_or(0) == 0)
        return {};
    bool ok = false;
    const double percent = text("loading_loaded_perc").toDouble(&ok);
    if (!ok || !(percent >= 0 && percent <= 100)) // also rejects NaN
        return {};
    const QString read = Text::tr("%1 % read").arg(QLocale().toString(int(percent)));
    const std::optional<qint64> left = milliseconds("loading_eta_seconds");
    return left && *left > 0 ? Text::tr("%1, about %2 left").arg(read, formatDuration(*left))
                             : read;
}

ServerFacts ServerInfo::facts(const QString& endpoint) const
{
    ServerFacts facts;
    facts.endpoint = endpoint;
    facts.flavour = serverVersion(*this).flavour;
    facts.version = versionText(*this);
    facts.mode = mode();
    facts.role = role();
    facts.master = isReplica() ? masterEndpoint() : QString();
    facts.masterLink = linkOf(*this);
    if (facts.masterLink == MasterLink::Down)
        facts.masterDownMs = milliseconds("master_link_down_since_seconds");
    if (facts.masterLink == MasterLink::Up)
        facts.masterSilentMs = milliseconds("master_last_io_seconds_ago");
    if (facts.masterSilentMs && *facts.masterSilentMs < 0) // no contact with the master yet
        facts.masterSilentMs.reset();
    facts.diskError = durability().diskError;
    facts.evictsByUse = evictsByUse();
    return facts;
}

bool evictsKeysByUse(const QString& policy)
{
    return policy.contains(QLatin1String("lru")) || policy.contains(QLatin1String("lfu"));
}

std::optional<qint64> timeFromReply(const Reply& time)
{
    if (time.items.size() != 2)
        return {};
    bool secondsOk = false;
    bool microsecondsOk = false;
    const qint64 seconds = time.items[0].text.toLongLong(&secondsOk);
    const qint64 microseconds = time.items[1].text.toLongLong(&microsecondsOk);
    if (!secondsOk || !microsecondsOk || seconds < 0 || seconds > serverInfoMostSeconds ||
        microseconds < 0 || microseconds >= 1'000'000)
        return {};
    return seconds * 1000 + microseconds / 1000;
}

ServerClock betterClock(const ServerClock& known, qint64 sentMs, qint64 receivedMs, qint64 serverMs)
{
    const qint64 roundTrip = receivedMs - sentMs;
    if (roundTrip < 0) // the local clock was set back in between
        return known;
    const ServerClock fresh{serverMs - (sentMs + roundTrip / 2), roundTrip};
    // The true offset is within half a round trip of the new one, and each clock is precise to 1
    // ms.
    const qint64 doubt = roundTrip / 2 + 2;
    const bool contradicted = std::llabs(fresh.offsetMs - known.offsetMs) > doubt;
    return !known.known() || roundTrip <= known.roundTripMs || contradicted ? fresh : known;
}

ServerClock clockFrom(const ServerClock& known, qint64 sentMs, qint64 receivedMs, const Reply& time,
                      const ServerInfo& info)
{
    const auto measured = [&](qint64 serverMs, TimeSource source) {
        ServerClock clock = betterClock(known, sentMs, receivedMs, serverMs);
        clock.source = source;
        return clock;
    };
    if (const std::optional<qint64> serverMs = timeFromReply(time))
        return measured(*serverMs, TimeSource::Server);
    if (const std::optional<qint64> us = info.number("server_time_usec"); us && *us > 0)
        return measured(*us / 1000, TimeSource::Info);
    ServerClock local;
    local.source = TimeSource::Local;
    return local;
}

} // namespace lk
