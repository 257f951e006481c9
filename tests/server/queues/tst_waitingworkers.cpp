// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionjobs.h"
#include "backend/session/sessionpolling.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include "backend/polling/workers/waitingworkers.h"
#include "backend/redis/connection.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;
using Known = WaitingWorkers::Known;

/// Real workers that are blocked, and what can be said of them.
class TestWaitingWorkers : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_workers.clear();
        m_server.flush();
        m_server.run({"ACL", "SETUSER", "poor", "on", ">pw", "~*", "+@all", "-client|list"});
        QTRY_COMPARE(m_server.line("CLIENT LIST TYPE normal").text.count("flags=b"), 0);
    }

    void onlyThoseOnListsOfTheDatabase();
    void whoMayNotAskSaysSo();
    void tooManyAreNotListed();
    void aSessionAsksWhileAQueueIsShown();
    void theOneEmptyQueueIsInferred();

private:
    void block(const Command& command, const QByteArray& name = {}, int database = 0);
    WaitingWorkersPtr readWaiting(ServerUrl url, qint64 connections = 10);

    RedisServer m_server;
    std::vector<std::unique_ptr<RespClient>> m_workers;
};

// Returns once the server has it blocked.
void TestWaitingWorkers::block(const Command& command, const QByteArray& name, int database)
{
    auto client = std::make_unique<RespClient>(m_server.socketPath());
    client->run({"SELECT", QByteArray::number(database)});
    if (!name.isEmpty())
        client->run({"CLIENT", "SETNAME", name});
    client->write(command);
    m_workers.push_back(std::move(client));
    const int blocked = int(m_workers.size());
    QTRY_COMPARE(
        m_server.line("INFO clients").text.count("blocked_clients:" + QByteArray::number(blocked)),
        1);
}

WaitingWorkersPtr TestWaitingWorkers::readWaiting(ServerUrl url, qint64 connections)
{
    Connection connection(std::move(url));
    WaitingWorkersPtr found;
    if (!openAndWait(connection))
        return nullptr;
    readWaitingWorkers(connection, connections, &connection,
                       [&](const WaitingWorkersPtr& waiting) { found = waiting; });
    return QTest::qWaitFor([&] { return bool(found); }) ? found : nullptr;
}

void TestWaitingWorkers::onlyThoseOnListsOfTheDatabase()
{
    block({"BRPOPLPUSH", "jobs", "jobs:processing", "0"}, "worker-7");
    block({"BRPOP", "jobs", "mails", "0"});
    block({"BLMOVE", "jobs", "jobs:processing", "RIGHT", "LEFT", "0"});
    block({"BZPOPMIN", "ranks", "0"});
    block({"XREAD", "BLOCK", "0", "STREAMS", "log", "$"});
    block({"BLPOP", "jobs", "0"}, "elsewhere", 3);
    const WaitingWorkersPtr waiting = readWaiting(m_server.url());
    QVERIFY(waiting);
    QCOMPARE(waiting->known, Known::Listed);
    QCOMPARE(waiting->total, 3);
    QByteArrayList commands;
    for (const ClientEntry& client : waiting->clients)
        commands << client.command + ' ' + client.name;
    std::sort(commands.begin(), commands.end());
    QCOMPARE(commands, (QByteArrayList{"blmove ", "brpop ", "brpoplpush worker-7"}));
    QVERIFY(waiting->clients[0].id > 0 && !waiting->clients[0].address.isEmpty());
    ServerUrl third = m_server.url();
    third.database = 3;
    QCOMPARE(readWaiting(third)->total, 1);
}

void TestWaitingWorkers::whoMayNotAskSaysSo()
{
    block({"BRPOP", "jobs", "0"});
    ServerUrl url = m_server.url();
    url.user = u"poor"_s;
    url.password = u"pw"_s;
    const WaitingWorkersPtr waiting = readWaiting(url);
    QVERIFY(waiting);
    QCOMPARE(waiting->known, Known::Denied);
    QCOMPARE(waiting->error.code, ErrorCode::NoPerm);
    QVERIFY(waiting->clients.empty());
}

void TestWaitingWorkers::tooManyAreNotListed()
{
    m_server.line("CONFIG RESETSTAT");
    const WaitingWorkersPtr waiting = readWaiting(m_server.url(), 5001);
    QVERIFY(waiting);
    QCOMPARE(waiting->known, Known::TooMany);
    QCOMPARE(waiting->connections, 5001);
    QVERIFY(!commandCalls(m_server).contains("client|list"));
    QCOMPARE(readWaiting(m_server.url(), 5000)->known, Known::Listed);
    QVERIFY(commandCalls(m_server).contains("client|list"));
    std::vector<ClientEntry> many(60);
    for (size_t i = 0; i < many.size(); ++i)
        many[i] = {qint64(i) + 1, "a", {}, "b", "brpop", 0, qint64(i)};
    const WaitingWorkers bounded = waitingAmong(many, 0);
    QCOMPARE(bounded.total, 60);
    QCOMPARE(bounded.clients.size(), WaitingWorkers::mostShown);
    QCOMPARE(bounded.clients.front().idleSeconds, 59);
}

void TestWaitingWorkers::aSessionAsksWhileAQueueIsShown()
{
    m_server.lines({"LPUSH jobs:processing x", "LPUSH jobs y", "SET lock:a me PX 600000"});
    LiveSession live(m_server.url());
    QTRY_VERIFY(live.state("jobs") && live.state("lock:a"));
    m_server.line("CONFIG RESETSTAT");
    live->polling().setAttention({}, live.handle("lock:a"));
    QVERIFY(live.seconds(2));
    QVERIFY(!commandCalls(m_server).contains("client|list"));
    QVERIFY(!live->jobs().waitingWorkers());
    QSignalSpy changed(&live->jobs(), &SessionJobs::waitingWorkersChanged);
    live->polling().setAttention({}, live.handle("jobs"));
    QTRY_COMPARE(changed.size(), 1);
    QCOMPARE(live->jobs().waitingWorkers()->total, 0);
    block({"BRPOP", "other", "0"}, "w");
    QTRY_COMPARE_WITH_TIMEOUT(live->jobs().waitingWorkers()->total, 1, 15'000);
    QCOMPARE(live->jobs().waitingWorkers()->clients[0].name, QByteArray("w"));
    QVERIFY(live->jobs().waitingWorkers()->inferred.name.isEmpty()); // jobs is not empty
}

void TestWaitingWorkers::theOneEmptyQueueIsInferred()
{
    m_server.lines({"LPUSH jobs:processing x", "LPUSH tasks:processing x"});
    block({"BRPOPLPUSH", "jobs", "jobs:processing", "0"});
    LiveSession live(m_server.url());
    QTRY_VERIFY(live.state("jobs") && live.state("tasks"));
    live->polling().setAttention({}, live.handle("jobs"));
    QTRY_VERIFY(live->jobs().waitingWorkers());
    QCOMPARE(live->jobs().waitingWorkers()->total, 1);
    QVERIFY(live->jobs().waitingWorkers()->inferred.name.isEmpty()); // it may be either
    m_server.line("LPUSH tasks m");
    QTRY_COMPARE_WITH_TIMEOUT(live->jobs().waitingWorkers()->inferred,
                              (PrimitiveId{"reliable-list", "jobs"}), 15'000);
}

LK_TEST(TestWaitingWorkers);
#include "tst_waitingworkers.moc"
