// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"

#include <QDateTime>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>

#include <limits>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

/// The commands that the server received, read by MONITOR.
class Listener
{
public:
    explicit Listener(RedisServer& server)
        : m_client(server.socketPath())
        , m_server(server)
    {
        m_client.write({"MONITOR"});
        m_client.read();
    }
    /// All since the last call. The test's own ECHO ends it.
    std::vector<Command> heard()
    {
        static const QRegularExpression word(u"\"((?:[^\"\\\\]|\\\\.)*)\""_s);
        const QByteArray mark = "mark-" + QByteArray::number(++m_marks);
        m_server.run({"ECHO", mark});
        std::vector<Command> commands;
        while (true) {
            const Reply line = m_client.read();
            if (line.isError() || line.text.contains(mark))
                return commands;
            std::vector<QByteArray> words;
            auto all = word.globalMatch(QString::fromLatin1(line.text));
            while (all.hasNext())
                words.push_back(all.next().captured(1).toLatin1());
            commands.emplace_back(words);
        }
    }

private:
    RespClient m_client;
    RedisServer& m_server;
    int m_marks = 0;
};

bool isHandshake(const QByteArray& name, const QByteArray& subcommand)
{
    if (name == "client" && subcommand.toLower() == "no-touch")
        return true;
    return name == "hello" || name == "auth" || name == "select" || name == "ping";
}

} // namespace

/// A session without write mode sends nothing but reads, whatever is read, planned or asked
/// for: the server is the witness.
class TestReadOnlyGuarantee : public QObject
{
    Q_OBJECT

private:
    void fill();
    /// Looks at everything there is, on every board, as a person would who tries all of it.
    void readEverything(LiveSession& live);
    /// A plan of every action of every primitive.
    std::vector<PlanSet> planEverything(LiveSession& live);
    void onlyReads(Listener& listener);

    RedisServer m_server;
    QTemporaryDir m_folder;
    Config m_config;

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { fill(); }

    void neverArmed();
    void afterItWasArmed_data();
    void afterItWasArmed();
    void withoutAJournalItStaysSo();
    void writeModeForNoTime();
};

void TestReadOnlyGuarantee::fill()
{
    m_server.flush();
    const qint64 s = m_server.line("TIME").items[0].text.toLongLong();
    const auto at = [&](qint64 seconds) { return QByteArray::number(s + seconds); };
    const auto ms = [&](qint64 seconds) { return QByteArray::number((s + seconds) * 1000); };
    m_server.lines({"SET lock:a 6f1e7a52-9d0c-4c7e-8a53-5b2d2f0a1c11 PX 6000000",
                    "SET lock:b owner",
                    "SET lock:t " + at(-60),
                    "RPUSH jobs b a",
                    "RPUSH jobs:processing d c",
                    "RPUSH jobs:dead x",
                    "SET fixed 5 PX 6000000",
                    "SET fixed2 5",
                    "SET gate 1 PX 6000000",
                    "ZADD rolling " + ms(-3) + ' ' + ms(-3) + ' ' + ms(-2) + ' ' + ms(-2),
                    "ZADD api " + ms(-3) + ' ' + ms(-3) + ' ' + ms(-2) + ' ' + ms(-2),
                    "ZADD api:retry " + ms(600) + ' ' + ms(600) + ' ' + ms(700) + ' ' + ms(700),
                    "ZADD res " + at(-3) + " 111111 " + at(-2) + " 222222",
                    "HSET r rate 5 interval 6000000 type 0",
                    "SET {r}:value 2",
                    "ZADD {r}:permits " + ms(-3) + R"( "\x080000000\x30\x03\x00\x00\x00")",
                    "SET code:c17bd6 payload PX 6000000",
                    "HSET code:h user 7 used_by 0",
                    "HSET code:used user 7 used_by 1",
                    "HSET code:ghost used_by 1",
                    "SET page:1 text",
                    "SADD users a b"});
    const Result<Config> config = parseConfig(
        "[[limiter]]\nkey = \"fixed*\"\nlayout = \"fixed-window\"\nlimit = 5\nwindow = \"60s\"\n"
        "[[limiter]]\nkey = \"gate\"\nlayout = \"gate\"\nwindow = \"60s\"\n"
        "[[limiter]]\nkey = \"rolling\"\nlayout = \"rolling-window\"\nlimit = 5\nwindow = \"60s\"\n"
        "[[limiter]]\nkey = \"api\"\nlayout = \"rolling-window-retry\"\nlimit = 5\n"
        "window = \"60s\"\nretry = \"{name}:retry\"\n"
        "[[limiter]]\nkey = \"res\"\nlayout = \"resource-consumer\"\nlimit = 5\nwindow = \"60s\"\n"
        "[[lock]]\nkey = \"lock:t\"\nlayout = \"setnx-timestamp\"\n"
        "[[token]]\nkey = \"code:[hug]*\"\nlayout = \"hash-token\"\n"
        "[[token]]\nkey = \"code:c*\"\nlayout = \"string-token\"\n",
        u"t"_s);
    QVERIFY2(config, config ? "" : qPrintable(config.error().detail));
    m_config = *config;
}

void TestReadOnlyGuarantee::readEverything(LiveSession& live)
{
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned(), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(live.size() >= 14, 20'000);
    std::vector<Handle> all;
    QSet<QByteArray> layouts;
    for (const auto& [handle, kept] : live->states().all()) {
        const StatePtr state = kept.state();
        all.push_back(handle);
        layouts << state->primitive->id.layout;
    }
    QVERIFY2(layouts.size() >= 10, QByteArrayList(layouts.values()).join(' ').constData());
    QSignalSpy sorted(&live->board(), &SessionBoard::sorted);
    quint64 serial = 0;
    for (const Kind kind : allKinds) {
        for (const int column : {-1, 0, 1}) {
            BoardQuery query;
            query.kind = kind;
            query.column = column;
            query.serial = ++serial;
            const auto before = sorted.size();
            live->board().setQuery(query);
            QTRY_VERIFY(sorted.size() > before);
        }
    }
    for (const Handle h : all) {
        live->polling().setAttention(all, h);
        live->polling().setPinned(h, h.index % 2 == 0);
        const qint64 seen = live->states().at(h)->asOfMs;
        QTRY_VERIFY(live->states().at(h)->asOfMs > seen); // read as the selected one is
    }
    live->polling().setInterval(100);
    live->board().setFrozen(true);
    live->board().setFrozen(false);
    live->polling().setPaused(true);
    live->polling().setPaused(false);
    live->polling().rescan();
    live->acting().readJournal();
    QVERIFY(live.seconds(2));
}

std::vector<PlanSet> TestReadOnlyGuarantee::planEverything(LiveSession& live)
{
    QSignalSpy planned(&live->acting(), &SessionActing::planned);
    std::vector<PlanSet> sets;
    const std::map<QByteArray, QByteArray> values{
        {"ttl", "1h"},    {"owner", "x"}, {"all", ""},        {"payload", "p"},
        {"permits", "1"}, {"limit", "9"}, {"prefix", "code:"}};
    qsizetype asked = 0;
    std::vector<StatePtr> states;
    for (const auto& [handle, state] : live->states().all())
        states.push_back(state.state());
    for (const StatePtr& state : states) {
        const Layout* layout = findLayout(state->primitive->id.layout);
        for (const Action* action : actionsFor(*layout)) {
            ActionRequest request;
            for (const ActionParameter& p : action->parameters()) {
                if (values.contains(p.name))
                    request.values[p.name] = values.at(p.name);
            }
            PlanRequest planRequest;
            planRequest.action = action->id();
            planRequest.layout = layout->id();
            planRequest.request = request;
            if (action->needsTarget())
                planRequest.targets.push_back({state->primitive});
            live->acting().plan(planRequest);
            ++asked;
        }
    }
    live->acting().planUndo({"r000000000000"});
    ++asked;
    if (!QTest::qWaitFor([&] { return planned.size() >= asked; }, 20'000))
        return sets;
    for (const QList<QVariant>& signal : planned) {
        const auto set = signal[0].value<PlanSet>();
        if (!set.plans.empty() && !set.plans.front().answer)
            sets.push_back(set);
    }
    return sets;
}

void TestReadOnlyGuarantee::onlyReads(Listener& listener)
{
    const std::vector<Command> heard = listener.heard();
    QVERIFY(heard.size() > 20);
    for (const Command& command : heard) {
        const QByteArray name = command.args()[0].toLower();
        // The test's own, which it needs to look.
        const bool own = name == "keys";
        QVERIFY2(isReadOnly(command) ||
                     isHandshake(name, command.args().size() > 1 ? command.args()[1] : "") || own,
                 qPrintable(command.display()));
    }
    // MONITOR is not told of what administrators send: the statistics are.
    const auto calls = commandCalls(m_server);
    QVERIFY(calls.size() > 10);
    for (auto it = calls.cbegin(); it != calls.cend(); ++it) {
        const QByteArrayList words = it.key().split('|');
        const Command command(std::vector<QByteArray>(words.begin(), words.end()));
        const bool own = words[0] == "keys" || words[0] == "monitor";
        QVERIFY2(isReadOnly(command) || isHandshake(words[0], words.last()) || own,
                 it.key().constData());
    }
    for (const char* never : {"eval", "evalsha", "script|load", "fcall", "multi"})
        QVERIFY2(!calls.contains(never), never);
}

void TestReadOnlyGuarantee::neverArmed()
{
    const QByteArray before = summaryOf(m_server);
    m_server.line("CONFIG RESETSTAT");
    Listener listener(m_server);
    LiveSession live(m_server.url(), m_config, {},
                     {m_folder.filePath(u"a/journal.jsonl"_s), m_folder.filePath(u"a/undo"_s)});
    QVERIFY(!live->acting().isWriteModeOn());
    readEverything(live);
    if (QTest::currentTestFailed())
        return;
    const std::vector<PlanSet> sets = planEverything(live);
    QVERIFY2(sets.size() > 40, QByteArray::number(qulonglong(sets.size())).constData());
    QSignalSpy receipts(&live->acting(), &SessionActing::receiptReady);
    QSignalSpy finished(&live->acting(), &SessionActing::runFinished);
    for (const PlanSet& set : sets) {
        const auto runs = finished.size();
        live->acting().run(set.ticket, u"must not"_s);
        QTRY_COMPARE(finished.size(), runs + 1);
    }
    QCOMPARE(receipts.size(), qsizetype(sets.size()));
    for (const QList<QVariant>& signal : receipts)
        QCOMPARE(signal[1].value<Receipt>().outcome, Outcome::Refused);
    onlyReads(listener);
    QVERIFY(!live->acting().isWriteModeOn());
    QCOMPARE(summaryOf(m_server), before);
    QVERIFY(!QFile::exists(m_folder.filePath(u"a/journal.jsonl"_s)));
}

void TestReadOnlyGuarantee::afterItWasArmed_data()
{
    QTest::addColumn<QString>("how");
    for (const char* how : {"write mode off", "time is up", "connection lost"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

// The same session does write in write mode: the witness would have seen it.
void TestReadOnlyGuarantee::afterItWasArmed()
{
    QFETCH(QString, how);
    LiveSession live(m_server.url(), m_config, {},
                     {m_folder.filePath(u"b/journal.jsonl"_s), m_folder.filePath(u"b/undo"_s)});
    QTRY_VERIFY(live.state("lock:b") && live.scanned());
    live->acting().enableWriteMode(60'000);
    QTRY_VERIFY(live->acting().isWriteModeOn());
    QVERIFY(live->acting().writeModeUntilMs() > QDateTime::currentMSecsSinceEpoch());
    QSignalSpy planned(&live->acting(), &SessionActing::planned);
    QSignalSpy receipts(&live->acting(), &SessionActing::receiptReady);
    QSignalSpy finished(&live->acting(), &SessionActing::runFinished);
    const ActionRequest push{{{"payload", "new"}}};
    const PrimitivePtr jobs = live.state("jobs")->primitive;
    Listener listener(m_server);
    live->acting().planAction("queue.push", {{jobs}}, push);
    QTRY_COMPARE(planned.size(), 1);
    live->acting().run(planned[0][0].value<PlanSet>().ticket, u"write mode"_s);
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(receipts[0][1].value<Receipt>().outcome, Outcome::Succeeded);
    QCOMPARE(m_server.line("LLEN jobs").integer, 3);
    const std::vector<Command> heard = listener.heard();
    QVERIFY(std::any_of(heard.begin(), heard.end(),
                        [](const Command& c) { return c.args()[0] == "EVALSHA"; }));

    live->acting().planAction("queue.push", {{jobs}}, push);
    QTRY_COMPARE(planned.size(), 2);
    if (how == u"write mode off"_s) {
        live->acting().disableWriteMode();
    } else if (how == u"time is up"_s) {
        live->acting().enableWriteMode(30);
    } else {
        m_server.line("CLIENT KILL TYPE normal SKIPME yes");
    }
    QTRY_VERIFY(!live->acting().isWriteModeOn());
    QCOMPARE(live->acting().writeModeUntilMs(), 0);
    if (how == u"connection lost"_s) {
        QTRY_COMPARE(live->status().generation, 2U);
        QTRY_VERIFY(live.isReady());
        QVERIFY(!live->acting().isWriteModeOn());
    }
    m_server.line("CONFIG RESETSTAT");
    const QByteArray before = summaryOf(m_server);
    QSignalSpy dropped(&live->acting(), &SessionActing::planDropped);
    live->acting().run(planned[1][0].value<PlanSet>().ticket, u"must not"_s);
    QTRY_COMPARE(dropped.size(), 1);
    QCOMPARE(finished.size(), 1);
    QCOMPARE(receipts.size(), 1);
    QVERIFY(live.seconds(1));
    const auto calls = commandCalls(m_server);
    QVERIFY(!calls.contains("evalsha") && !calls.contains("eval") && !calls.contains("lpush"));
    QCOMPARE(summaryOf(m_server), before);
}

void TestReadOnlyGuarantee::withoutAJournalItStaysSo()
{
    LiveSession live(m_server.url(), m_config);
    QTRY_VERIFY(live.isReady());
    QVERIFY(!live->acting().canAct());
    QSignalSpy writeModeChanges(&live->acting(), &SessionActing::writeModeChanged);
    live->acting().enableWriteMode(60'000);
    QVERIFY(live.seconds(1));
    QVERIFY(!live->acting().isWriteModeOn());
    QCOMPARE(writeModeChanges.size(), 0);
}

void TestReadOnlyGuarantee::writeModeForNoTime()
{
    LiveSession live(m_server.url(), m_config, {},
                     {m_folder.filePath(u"c/journal.jsonl"_s), m_folder.filePath(u"c/undo"_s)});
    QTRY_VERIFY(live.isReady());
    live->acting().enableWriteMode(0);
    live->acting().enableWriteMode(-5);
    QVERIFY(live.seconds(1));
    QVERIFY(!live->acting().isWriteModeOn());
    live->acting().enableWriteMode(
        std::numeric_limits<qint64>::max()); // for a day, and no overflow
    QTRY_VERIFY(live->acting().isWriteModeOn());
    QVERIFY(live->acting().writeModeUntilMs() - QDateTime::currentMSecsSinceEpoch() <=
            24LL * 3600 * 1000);
}

LK_TEST(TestReadOnlyGuarantee);
#include "tst_readonlyguarantee.moc"
