// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/redlock/redlockreader.h"

#include "backend/core/names/glob.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t mostNames = 10'000;
constexpr size_t slice = 200; // names asked for together
constexpr const char* scanCount = "1000";
constexpr const char* lastByte = "255"; // of a value: an owner is a short text

Connection::Options once(int timeoutMs)
{
    Connection::Options options;
    options.reconnect = false;
    options.connectTimeoutMs = timeoutMs;
    options.batchTimeoutMs = timeoutMs;
    return options;
}

} // namespace

struct RedlockReader::Server
{
    Server(const ServerUrl& url, int timeoutMs)
        : connection(url, once(timeoutMs))
    {}

    Connection connection;
    std::optional<Error> error;
    std::vector<RedlockVote> votes; ///< by m_ordered
    bool asked = false;             ///< the connection was ready once
};

RedlockReader::RedlockReader(RedlockGroup group, int timeoutMs, QObject* parent)
    : QObject(parent)
    , m_group(std::move(group))
{
    for (const ServerUrl& url : m_group.servers)
        m_servers.push_back(std::make_unique<Server>(url, timeoutMs));
    m_busy = m_servers.size();
    for (const auto& server : m_servers)
        connect(&server->connection, &Connection::statusChanged, this,
                [this, each = server.get()](const ConnectionStatus& status) {
                    onStatus(*each, status);
                });
}

RedlockReader::~RedlockReader()
{
    for (const auto& server : m_servers)
        server->connection.disconnect(this);
}

void RedlockReader::start()
{
    for (const auto& server : m_servers)
        server->connection.open();
}

void RedlockReader::onStatus(Server& server, const ConnectionStatus& status)
{
    if (status.phase == ConnectionStatus::Phase::Lost && !server.asked)
        return fail(server, status.error);
    if (status.phase != ConnectionStatus::Phase::Ready)
        return; // what is under way fails by itself
    server.asked = true;
    if (isLiteral(m_group.match)) {
        m_names.insert(m_group.match);
        return scanned(server);
    }
    scan(server, "0");
}

void RedlockReader::scan(Server& server, const QByteArray& cursor)
{
    server.connection.send({{"SCAN", cursor, "MATCH", m_group.match, "COUNT", scanCount}}, this,
                           [this, &server](const BatchResult& r) { takeNames(server, r); });
}

void RedlockReader::takeNames(Server& server, const BatchResult& result)
{
    if (!result)
        return fail(server, result.error());
    const Reply& reply = result->front();
    if (reply.isError() || reply.items.size() != 2)
        return fail(server, errorFromReply(reply.text));
    for (const Reply& name : reply.items[1].items) {
        if (m_names.size() < mostNames)
            m_names.insert(name.text);
        else
            m_cut = m_cut || !m_names.contains(name.text);
    }
    const QByteArray cursor = reply.items[0].text;
    return cursor == "0" || m_cut ? scanned(server) : scan(server, cursor);
}

void RedlockReader::scanned(Server&)
{
    if (--m_busy == 0)
        readAll();
}

void RedlockReader::fail(Server& server, const Error& error)
{
    server.error = error;
    if (--m_busy > 0)
        return;
    if (m_ordered.empty())
        readAll();
    else
        judge();
}

void RedlockReader::readAll()
{
    m_ordered.assign(m_names.begin(), m_names.end());
    m_busy = size_t(std::count_if(m_servers.begin(), m_servers.end(),
                                  [](const auto& server) { return !server->error; }));
    if (m_ordered.empty() || m_busy == 0)
        return judge();
    for (const auto& server : m_servers) {
        if (server->error)
            continue;
        server->votes.resize(m_ordered.size());
        read(*server, 0);
    }
}

void RedlockReader::read(Server& server, size_t from)
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
        if (type.text == "hash") // as Redisson keeps it: the owner is a field
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
        return read(server, from + slice);
    if (--m_busy == 0)
        judge();
}

void RedlockReader::judge()
{
    for (size_t i = 0; i < m_ordered.size(); ++i) {
        std::vector<RedlockVote> votes;
        for (const auto& server : m_servers) {
            RedlockVote vote = server->error ? RedlockVote() : server->votes[i];
            vote.error = server->error;
            vote.endpoint = server->connection.url().endpoint();
            votes.push_back(std::move(vote));
        }
        m_states.push_back(judgeRedlock(m_ordered[i], std::move(votes), m_group.quorum()));
    }
    emit finished();
}

std::vector<std::pair<QString, Error>> RedlockReader::silent() const
{
    std::vector<std::pair<QString, Error>> all;
    for (const auto& server : m_servers) {
        if (server->error)
            all.emplace_back(server->connection.url().endpoint(), *server->error);
    }
    return all;
}

} // namespace lk
