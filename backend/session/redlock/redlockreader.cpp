// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlockreader.h"

#include "backend/core/names/glob.h"
#include "backend/findings/findingtraits.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t slice = 200; // names asked for together
constexpr const char* scanCount = "1000";
constexpr const char* lastByte = "255"; // of a value, as an owner is a short text
constexpr int perNameMs = 5;            // of pause, for three commands per name and server
constexpr int againAfterMs = 1000; // checks whether a hazard lasts: longer than acquiring a lock

Connection::Options connectionOptions(const RedlockReader::Options& options)
{
    Connection::Options result;
    result.reconnect = options.stays;
    result.connectTimeoutMs = options.timeoutMs;
    result.batchTimeoutMs = options.timeoutMs;
    return result;
}

} // namespace

struct RedlockReader::Server
{
    Server(const ServerUrl& url, const Options& options)
        : connection(url, connectionOptions(options))
    {
        facts.endpoint = url.endpoint();
    }

    Connection connection;
    RedlockServer facts;
    QByteArray cursor = "0";
    int slices = 0;                 ///< asked for in this read
    bool isScanned = false;         ///< completely, at least once
    bool isAwaited = false;         ///< the read waits for it to become ready
    std::vector<RedlockVote> votes; ///< in the order of m_ordered
};

RedlockReader::RedlockReader(RedlockGroup group, Options options, const Clock& clock)
    : m_group(std::move(group))
    , m_options(options)
    , m_clock(clock)
    , m_pause(this)
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &RedlockReader::read);
}

RedlockReader::~RedlockReader()
{
    for (const auto& server : m_servers)
        server->connection.disconnect(this);
}

void RedlockReader::read()
{
    if (m_busy > 0)
        return;
    if (m_servers.empty())
        open();
    forgetFree();
    m_reading = false;
    m_cut = m_cut && m_names.size() >= m_options.mostNames;
    m_busy = m_servers.size();
    for (const auto& server : m_servers)
        begin(*server);
}

void RedlockReader::repeat(int intervalMs)
{
    m_intervalMs = intervalMs;
    if (!m_report)
        read();
    else if (m_pause.remainingTime() > pauseMs())
        m_pause.start(pauseMs());
}

int RedlockReader::pauseMs() const
{
    const size_t names = m_report ? m_report->locks.size() : 0;
    return std::max(m_intervalMs, int(names) * perNameMs);
}

// In the thread that reads: there its sockets are.
void RedlockReader::open()
{
    for (const ServerUrl& url : m_group.servers) {
        auto* server = m_servers.emplace_back(std::make_unique<Server>(url, m_options)).get();
        connect(&server->connection, &Connection::statusChanged, this,
                [this, server](const ConnectionStatus& status) { onStatus(*server, status); });
    }
}

void RedlockReader::forgetFree()
{
    if (!m_report)
        return;
    for (const RedlockState& state : m_report->locks) {
        if (state.standing == RedlockState::Standing::Free)
            m_names.erase(state.name);
    }
}

// A server that did not answer last time is read once it is ready, but not waited for.
void RedlockReader::begin(Server& server)
{
    using Phase = ConnectionStatus::Phase;
    const ConnectionStatus& status = server.connection.status();
    if (status.phase == Phase::Ready)
        return ask(server);
    if (status.phase == Phase::Lost && !server.facts.error)
        server.facts.error = status.error;
    if (server.facts.error)
        return endPart();
    server.isAwaited = true;
    if (status.phase == Phase::Closed)
        server.connection.open();
}

void RedlockReader::onStatus(Server& server, const ConnectionStatus& status)
{
    if (!server.isAwaited)
        return; // batches under way fail by themselves
    if (status.phase == ConnectionStatus::Phase::Lost) {
        server.isAwaited = false;
        fail(server, status.error);
    } else if (status.phase == ConnectionStatus::Phase::Ready) {
        server.isAwaited = false;
        ask(server);
    }
}

void RedlockReader::ask(Server& server)
{
    server.facts.error.reset();
    server.slices = 0;
    server.connection.send({{"TIME"}, {"INFO", "replication"}}, this,
                           [this, &server, sentMs = m_clock.nowMs()](const BatchResult& result) {
                               takeFacts(server, sentMs, result);
                           });
}

// The votes count even if the user may send neither command.
void RedlockReader::takeFacts(Server& server, qint64 sentMs, const BatchResult& result)
{
    if (!result)
        return fail(server, result.error());
    const ServerInfo& greeting = server.connection.greeting();
    const ServerInfo now = ServerInfo::fromReply((*result)[1]);
    const ServerInfo& info = now.role() == NodeRole::Unknown ? greeting : now;
    RedlockServer& facts = server.facts;
    facts.clock = clockFrom(facts.clock, sentMs, m_clock.nowMs(), result->front(), info);
    facts.runId = greeting.text("run_id");
    facts.role = info.role();
    facts.master = info.masterEndpoint();
    if (!isLiteral(m_group.match))
        return scan(server);
    m_names.insert(m_group.match);
    server.isScanned = true;
    endPart();
}

void RedlockReader::scan(Server& server)
{
    ++server.slices;
    server.connection.send(
        {{"SCAN", server.cursor, "MATCH", m_group.match, "COUNT", scanCount}}, this,
        [this, &server](const BatchResult& result) { takeNames(server, result); });
}

void RedlockReader::takeNames(Server& server, const BatchResult& result)
{
    if (!result)
        return fail(server, result.error());
    const Reply& reply = result->front();
    if (reply.isError() || reply.items.size() != 2)
        return fail(server, errorFromReply(reply.text));
    for (const Reply& name : reply.items[1].items) {
        if (m_names.size() < m_options.mostNames)
            m_names.insert(name.text);
        else
            m_cut = m_cut || !m_names.contains(name.text);
    }
    server.cursor = reply.items[0].text;
    const bool isEnd = server.cursor == "0";
    server.isScanned = server.isScanned || isEnd;
    const bool isEnough = m_options.slices > 0 && server.slices >= m_options.slices;
    return isEnd || isEnough || m_cut ? endPart() : scan(server);
}

void RedlockReader::fail(Server& server, const Error& error)
{
    server.facts.error = error;
    server.cursor = "0"; // the next connection may reach another server
    endPart();
}

void RedlockReader::endPart()
{
    if (m_busy == 0 || --m_busy > 0)
        return;
    if (m_reading)
        publish();
    else
        readAll();
}

void RedlockReader::readAll()
{
    m_reading = true;
    m_ordered.assign(m_names.begin(), m_names.end());
    m_busy = size_t(std::count_if(m_servers.begin(), m_servers.end(),
                                  [](const auto& server) { return !server->facts.error; }));
    if (m_ordered.empty() || m_busy == 0)
        return publish();
    for (const auto& server : m_servers) {
        if (server->facts.error)
            continue;
        server->votes.assign(m_ordered.size(), {});
        readFrom(*server, 0);
    }
}

void RedlockReader::readFrom(Server& server, size_t from)
{
    std::vector<Command> commands;
    for (size_t i = from; i < std::min(from + slice, m_ordered.size()); ++i) {
        commands.push_back({"TYPE", m_ordered[i]});
        commands.push_back({"PTTL", m_ordered[i]});
        commands.push_back({"GETRANGE", m_ordered[i], "0", lastByte});
    }
    server.connection.send(commands, this, [this, &server, from](const BatchResult& result) {
        takeVotes(server, from, result);
    });
}

void RedlockReader::takeVotes(Server& server, size_t from, const BatchResult& result)
{
    if (!result)
        return fail(server, result.error());
    std::vector<size_t> hashes;
    for (size_t i = 0; i * 3 + 2 < result->size(); ++i) {
        const Reply& type = (*result)[i * 3];
        const Reply& ttl = (*result)[i * 3 + 1];
        const Reply& value = (*result)[i * 3 + 2];
        if (type.isError() || ttl.isError())
            return fail(server, errorFromReply((type.isError() ? type : ttl).text));
        RedlockVote& vote = server.votes[from + i];
        vote.ttlMs = ttl.integer;
        vote.present = type.text != "none" && ttl.integer != -2;
        if (type.text == "hash") // its field is the owner
            hashes.push_back(from + i);
        else if (value.isError() && type.text == "string")
            return fail(server, errorFromReply(value.text));
        else if (!value.isError())
            vote.owner = value.text;
    }
    if (hashes.empty())
        return readNext(server, from);
    readHashes(server, from, std::move(hashes));
}

void RedlockReader::readHashes(Server& server, size_t from, std::vector<size_t> hashes)
{
    std::vector<Command> commands;
    for (const size_t at : hashes)
        commands.push_back({"HSCAN", m_ordered[at], "0", "COUNT", "1"});
    server.connection.send(
        commands, this, [this, &server, from, hashes = std::move(hashes)](const BatchResult& r) {
            if (!r)
                return fail(server, r.error());
            for (size_t i = 0; i < hashes.size(); ++i) {
                const Reply& reply = (*r)[i];
                if (reply.items.size() == 2 && !reply.items[1].items.empty())
                    server.votes[hashes[i]].owner = reply.items[1].items.front().text;
            }
            readNext(server, from);
        });
}

void RedlockReader::readNext(Server& server, size_t from)
{
    if (from + slice < m_ordered.size())
        return readFrom(server, from + slice);
    endPart();
}

void RedlockReader::publish()
{
    m_busy = 0;
    auto report = std::make_shared<RedlockReport>();
    report->group = m_group;
    report->cut = m_cut;
    report->complete = true;
    for (const auto& server : m_servers) {
        report->servers.push_back(server->facts);
        report->complete = report->complete && (server->facts.error || server->isScanned);
    }
    for (size_t i = 0; i < m_ordered.size(); ++i) {
        std::vector<RedlockVote> votes;
        for (const auto& server : m_servers) {
            RedlockVote vote = server->facts.error ? RedlockVote() : server->votes[i];
            vote.error = server->facts.error;
            vote.endpoint = server->facts.endpoint;
            votes.push_back(std::move(vote));
        }
        report->locks.push_back(countVotes(m_ordered[i], std::move(votes), m_group.quorum()));
    }
    report->findings = redlockFindings(*report);
    const std::vector<Finding> lasting =
        m_report ? lastingRedlockFindings(*report, *m_report) : std::vector<Finding>();
    const bool wasSure = std::exchange(m_isSure, lasting.size() == report->findings.size());
    m_report = std::move(report);
    if (m_intervalMs > 0)
        m_pause.start(wasSure && !m_isSure ? std::min(pauseMs(), againAfterMs) : pauseMs());
    emit finished(m_report, lasting);
}

RedlockCheck::RedlockCheck(const std::vector<RedlockGroup>& groups, int timeoutMs,
                           const Clock& clock)
    : m_reports(groups.size())
{
    RedlockReader::Options options;
    options.timeoutMs = timeoutMs;
    for (const RedlockGroup& group : groups)
        m_readers.push_back(std::make_unique<RedlockReader>(group, options, clock));
}

void RedlockCheck::start(bool leavesOutPassing)
{
    m_underWay = m_readers.size();
    if (m_readers.empty())
        return emit finished();
    for (size_t i = 0; i < m_readers.size(); ++i) {
        RedlockReader* reader = m_readers[i].get();
        connect(reader, &RedlockReader::finished, this,
                [this, i, reader, leavesOutPassing](const RedlockReportPtr& report,
                                                    const std::vector<Finding>& lasting) {
                    const bool isFirst = !std::exchange(m_reports[i], report);
                    if (isFirst && leavesOutPassing && !report->findings.empty())
                        return QTimer::singleShot(againAfterMs, reader, &RedlockReader::read);
                    m_findings.insert(m_findings.end(), lasting.begin(), lasting.end());
                    if (--m_underWay == 0)
                        emit finished();
                });
        reader->read();
    }
}

} // namespace lk
