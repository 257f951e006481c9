// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/permissions/aclcheck.h"

#include "backend/redis/replies.h"

#include <algorithm>

namespace lk {

namespace {

// Contains no word or colon, so that only a pattern for all keys matches it.
const QByteArray nobodysKey = QByteArrayLiteral("\x01\x02\x01");

Connection::Options checkOptions(int timeoutMs)
{
    Connection::Options checkOptions;
    checkOptions.reconnect = false;
    checkOptions.connectTimeoutMs = timeoutMs;
    checkOptions.batchTimeoutMs = timeoutMs;
    return checkOptions;
}

// The server whose permissions count: the master that the Sentinels name, not the Sentinels.
ServerUrl answering(ServerUrl url)
{
    if (url.deployment != ServerUrl::Deployment::Sentinel)
        url.deployment = ServerUrl::Deployment::Node;
    return url;
}

Command dryRunOf(const QByteArray& user, const Command& command)
{
    Command dry{"ACL", "DRYRUN", user};
    for (const QByteArray& word : command.args())
        dry << word;
    return dry;
}

// After such a command the connection accepts no others.
bool subscribes(const SentCommand& command)
{
    return QByteArray(command.name).contains("SUBSCRIBE");
}

} // namespace

AclCheck::AclCheck(const ServerUrl& url, AclPurpose purpose, int timeoutMs, QObject* parent)
    : QObject(parent)
    , m_purpose(purpose)
    , m_router(answering(url), checkOptions(timeoutMs), this)
{
    connect(&m_router, &Router::statusChanged, this, [this](const ConnectionStatus& status) {
        if (status.phase == ConnectionStatus::Phase::Ready)
            begin();
        else if (status.phase == ConnectionStatus::Phase::Lost)
            end(status.error);
    });
}

void AclCheck::begin()
{
    if (!std::exchange(m_asked, true))
        launch(check(), [this](const std::optional<Error>& error) { end(error); });
}

Task<std::optional<Error>> AclCheck::check()
{
    m_report.info = m_router.greeting();
    const ServerVersion server = serverVersion(m_router.greeting());
    m_report.asked = commandsFor(m_purpose, server);
    if (m_router.url().database == 0)
        std::erase_if(m_report.asked,
                      [](const SentCommand& c) { return c.use == CommandUse::Database; });
    if (!mayTry(server, Feature::Acl)) {
        m_report.askedBy = AclReport::AskedBy::NoUsers;
        co_return std::nullopt;
    }
    const Command whoAmI{"ACL", "WHOAMI"};
    const BatchResult user = co_await replies(m_router, whoAmI, this);
    if (!user)
        co_return user.error();
    bool hasDryRun = user->front().isText();
    if (hasDryRun) {
        m_report.user = user->front().text;
        // Tries one command alone. If it is denied or missing, the server's ACL LOG gets only this
        // entry.
        const Command one = dryRunOf(m_report.user, {"PING"});
        const BatchResult tried = co_await replies(m_router, one, this);
        if (!tried)
            co_return tried.error();
        hasDryRun = !tried->front().isError();
    }
    Task<std::optional<Error>> rest = hasDryRun ? dryRun() : tryOut();
    const std::optional<Error> error = co_await std::move(rest);
    co_return error;
}

Task<std::optional<Error>> AclCheck::dryRun()
{
    std::vector<Command> batch;
    for (const SentCommand& command : m_report.asked)
        batch.push_back(dryRunOf(m_report.user, sampleOf(command, nobodysKey)));
    const BatchResult result = co_await replies(m_router, batch, this);
    if (!result)
        co_return result.error();
    m_report.askedBy = AclReport::AskedBy::DryRun;
    for (size_t i = 0; i < result->size(); ++i) {
        const Reply& reply = (*result)[i];
        if (reply.isError())
            m_report.unknown.push_back(m_report.asked[i]); // the server lacks the command
        else if (reply.text != "OK")
            take(m_report.asked[i], reply.text);
    }
    co_return std::nullopt;
}

// Takes "... no permissions to run the 'get' command", or to access a key or a channel. If tracking
// is denied, keyspace notifications remain, so their channels are not checked.
void AclCheck::take(const SentCommand& command, const QByteArray& denial)
{
    const bool access = denial.contains("to access");
    if (access && denial.contains("channel"))
        m_report.channelsDenied |= qstrcmp(command.name, "PSUBSCRIBE") != 0;
    else if (access && denial.contains("access database")) {
        if (command.use != CommandUse::Database) // its sample is another database
            m_report.databaseDenied = m_router.url().database;
    } else if (access)
        m_report.keysDenied = true;
    else
        m_report.lacking.push_back(command);
}

Task<std::optional<Error>> AclCheck::tryOut()
{
    std::vector<SentCommand> tried;
    for (const SentCommand& command : m_report.asked) {
        // The handshake has tried both. Without the database there would be no connection.
        if (command.use == CommandUse::Database)
            continue;
        if (command.use == CommandUse::KeepUnused) {
            if (!m_router.leavesKeysUntouched())
                m_report.lacking.push_back(command);
        } else if (isReadOnly(sampleOf(command, nobodysKey))) {
            tried.push_back(command);
        } else {
            m_report.unknown.push_back(command);
        }
    }
    std::stable_partition(tried.begin(), tried.end(),
                          [](const SentCommand& c) { return !subscribes(c); });
    std::vector<Command> batch;
    for (const SentCommand& command : tried)
        batch.push_back(sampleOf(command, nobodysKey));
    const BatchResult result = co_await replies(m_router, batch, this);
    if (!result)
        co_return result.error();
    for (size_t i = 0; i < tried.size(); ++i) {
        const Reply& reply = (*result)[i];
        if (reply.isError() && reply.text.startsWith("NOPERM"))
            take(tried[i], reply.text);
    }
    co_return std::nullopt;
}

void AclCheck::end(const std::optional<Error>& error)
{
    if (std::exchange(m_done, true))
        return;
    m_router.close();
    if (error)
        emit failed(*error);
    else
        emit finished(m_report);
}

} // namespace lk
