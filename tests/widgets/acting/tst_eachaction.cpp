// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/catalog/catalog.h"
#include "backend/layouts/layout.h"
#include "tests/server/acting.h"
#include "tests/server/librarysteps.h"
#include "tests/server/takensnapshot.h"
#include "tests/widgets/actiondriver.h"

#include <QRegularExpression>

using namespace lk;
using namespace lk::test;

namespace {

struct Sample
{
    const char* layout;
    const char* action;
    int board;
    const char* row;
    const char* fields; ///< "name=text", separated by blanks; @KEY: what that key holds
    const char* effect; ///< afterwards; empty: the dialog answers
    const char* tells;  ///< a pattern of what it answers
};

// Whole seconds, rounded up or down, of which a moment may have passed.
constexpr auto anHour = "^(360[01]|359\\d)$";
constexpr auto halfAMinute = "^(3[01]|2\\d)$";

constexpr Sample samples[] = {
    {"set-nx-px", "lock.release", Locks, "lock:held", "", "EXISTS lock:held", "^0$"},
    {"set-nx-px", "lock.ttl", Locks, "lock:orphan", "ttl=30s", "TTL lock:orphan", halfAMinute},
    {"redisson-lock", "lock.release", Locks, "invoice", "", "EXISTS invoice", "^0$"},
    {"redisson-permit-semaphore", "lock.release", Locks, "tickets", "", "GET tickets", "^2$"},
    {"redisson-semaphore", "lock.release", Locks, "seats", "permits=2", "GET seats", "^3$"},
    {"symfony-lock", "lock.release", Locks, "report", "", "EXISTS report", "^0$"},
    {"distributedlock-net-rw", "lock.release", Locks, "book", "", "EXISTS book.writer", "^0$"},
    {"laravel-funnel", "lock.release", Locks, "shop_database_export", "",
     "EXISTS shop_database_export1", "^0$"},
    {"ruby-redis-semaphore", "lock.release", Locks, "gpu", "",
     "LRANGE SEMAPHORE:gpu:AVAILABLE 0 -1", "^0 1$"},
    {"sidekiq-unique-jobs", "lock.release", Locks, "uniquejobs:1ab51d398abfa77a6a4d0f4d5d0aa6c5",
     "", "KEYS uniquejobs:*", "^$"},
    {"rueidislock", "lock.release", Locks, "import", "", "KEYS rueidislock:*", "^$"},
    {"setnx-timestamp", "lock.release", Locks, "stamp.good", "owner=@stamp.good",
     "EXISTS stamp.good", "^0$"},
    {"setnx-timestamp", "lock.clear", Locks, "stamp.old", "", "EXISTS stamp.old", "^0$"},
    {"setnx-timestamp", "lock.takeover", Locks, "stamp.old", "ttl=1h", "AHEAD stamp.old", anHour},
    {"setnx-timestamp", "lock.ttl", Locks, "stamp.good", "ttl=30s", "AHEAD stamp.good",
     halfAMinute},

    {"reliable-list", "queue.requeue", Queues, "jobs", "all=", "LRANGE jobs 0 -1", "^j1 j2 p1 p2$"},
    {"reliable-list", "queue.dead-letter", Queues, "jobs", "all=", "LLEN jobs:dead", "^3$"},
    {"reliable-list", "queue.retry", Queues, "jobs", "all=", "EXISTS jobs:dead", "^0$"},
    {"reliable-list", "queue.promote", Queues, "jobs", "all=", "EXISTS jobs:delayed", "^0$"},
    {"reliable-list", "queue.discard", Queues, "jobs", "all=", "EXISTS jobs:processing", "^0$"},
    {"reliable-list", "queue.push", Queues, "jobs", "payload=hello", "LINDEX jobs 0", "^hello$"},
    {"reliable-list", "queue.rotate", Queues, "jobs", "", "LRANGE jobs 0 -1", "^j2 j1$"},
    {"circular-list", "queue.rotate", Patterns, "sites:rotation", "", "LRANGE sites:rotation 0 -1",
     "^c a b$"},

    {"fixed-window", "limiter.check", Limiters, "quota:b", "", "",
     "It would pass: 6 of 10 remaining"},
    {"fixed-window", "limiter.free", Limiters, "quota:b", "permits=3", "GET quota:b", "^1$"},
    {"fixed-window", "limiter.repair", Limiters, "quota:stuck", "", "TTL quota:stuck",
     "^(300|29\\d)$"},
    {"fixed-window", "limiter.clear", Limiters, "quota:b", "", "EXISTS quota:b", "^0$"},
    {"gate", "limiter.check", Limiters, "spawn:gate:7", "", "",
     "It would be rejected: the next one passes in "},
    {"gate", "limiter.open", Limiters, "spawn:gate:7", "", "EXISTS spawn:gate:7", "^0$"},
    {"gate", "limiter.repair", Limiters, "spawn:gate:8", "ttl=30s", "TTL spawn:gate:8",
     halfAMinute},
    {"gate", "limiter.clear", Limiters, "spawn:gate:7", "", "EXISTS spawn:gate:7", "^0$"},
    {"rolling-window", "limiter.check", Limiters, "search:rate", "", "",
     "It would pass: 3 of 5 remaining"},
    {"rolling-window", "limiter.free", Limiters, "search:rate", "permits=1", "ZCARD search:rate",
     "^1$"},
    {"rolling-window", "limiter.clear", Limiters, "search:rate", "", "EXISTS search:rate", "^0$"},
    {"rolling-window-retry", "limiter.check", Limiters, "api", "", "",
     "It would pass: 3 of 5 remaining"},
    {"rolling-window-retry", "limiter.cap", Limiters, "api", "", "EXISTS api:retry", "^0$"},
    {"rolling-window-retry", "limiter.free", Limiters, "api", "permits=2", "ZCARD api:rate", "^0$"},
    {"rolling-window-retry", "limiter.clear", Limiters, "api", "", "EXISTS api:rate api:retry",
     "^0$"},
    {"resource-consumer", "limiter.check", Limiters, "z:rl:resource:12{12}", "", "",
     "It would pass: 3 of 5 remaining"},
    {"resource-consumer", "limiter.free", Limiters, "z:rl:resource:12{12}", "permits=1",
     "ZCARD z:rl:resource:12{12}", "^1$"},
    {"resource-consumer", "limiter.clear", Limiters, "z:rl:resource:12{12}", "consumer=1",
     "EXISTS z:rl:resource:12{12} z:rl:resource:12{12}:consumer:1", "^1$"},
    {"redisson-rate-limiter", "limiter.check", Limiters, "acme", "", "",
     "It would pass: 1 of 3 remaining"},
    {"redisson-rate-limiter", "limiter.free", Limiters, "acme", "permits=1", "ZCARD {acme}:permits",
     "^0$"},
    {"redisson-rate-limiter", "limiter.repair", Limiters, "acme", "", "GET {acme}:value", "^2$"},
    {"redisson-rate-limiter", "limiter.rate", Limiters, "acme", "limit=7 interval=30s",
     "HMGET acme rate interval", "^7 30000$"},
    {"redisson-rate-limiter", "limiter.clear", Limiters, "acme", "",
     "EXISTS {acme}:value {acme}:permits", "^0$"},

    {"string-token", "token.issue", Tokens, "", "prefix=mail: ttl=1h payload=x", "KEYS mail:*",
     "^mail:[A-Za-z0-9]+$"},
    {"string-token", "token.validate", Tokens, "code:a1fa5c", "", "", "Valid: "},
    {"string-token", "token.extend", Tokens, "code:a1fa5c", "ttl=1h", "TTL code:a1fa5c", anHour},
    {"string-token", "token.consume", Tokens, "code:a1fa5c", "", "EXISTS code:a1fa5c", "^0$"},
    {"string-token", "token.revoke", Tokens, "code:a1fa5c", "", "EXISTS code:a1fa5c", "^0$"},
    {"hash-token", "token.issue", Tokens, "", "prefix=user_token:new: ttl=1h hash=",
     "HASHES user_token:new:*", "^user_token:new:[A-Za-z0-9]+$"},
    {"hash-token", "token.validate", Tokens, "user_token:good", "", "", "Valid: "},
    {"hash-token", "token.extend", Tokens, "user_token:good", "ttl=1h", "TTL user_token:good",
     anHour},
    {"hash-token", "token.consume", Tokens, "user_token:good", "", "HGET user_token:good used_by",
     "^1$"},
    {"hash-token", "token.revoke", Tokens, "user_token:good", "", "EXISTS user_token:good", "^0$"},
    {"hash-token", "token.cleanup", Tokens, "user_token:ghost", "", "EXISTS user_token:ghost",
     "^0$"},

    {"counter", "key.ttl", Patterns, "orders:counter", "ttl=1h", "TTL orders:counter", anHour},
    {"counter", "key.delete", Patterns, "orders:counter", "", "EXISTS orders:counter", "^0$"},
};
constexpr int primitives = 26;
const QString between = QStringLiteral(" | ");

constexpr auto config = R"(
[[limiter]]
key = "quota:*"
layout = "fixed-window"
limit = 10
window = "5m"
[[limiter]]
key = "spawn:gate:*"
layout = "gate"
window = "20s"
[[limiter]]
key = "search:rate"
layout = "rolling-window"
limit = 5
window = "10m"
[[limiter]]
key = "api:rate"
layout = "rolling-window-retry"
retry = "api:retry"
limit = 5
window = "10m"
[[limiter]]
key = "z:rl:resource:12{12}"
layout = "resource-consumer"
limit = 5
window = "10m"
consumer_limit = 3
[[lock]]
key = "lock:*"
layout = "set-nx-px"
[[lock]]
key = "seats"
layout = "redisson-semaphore"
[[lock]]
key = "stamp.*"
layout = "setnx-timestamp"
[[queue]]
key = "jobs"
layout = "reliable-list"
processing = "{name}:processing"
[[token]]
key = "code:*"
layout = "string-token"
[[token]]
key = "user_token:*"
layout = "hash-token"
)";

// Layouts may share an action: one of them shows it.
bool isShown(const Action& action)
{
    const auto shows = [&](const char* layout, const char* id) {
        const Layout* shown = findLayout(layout);
        return shown && findAction(*shown, id) == &action;
    };
    const std::vector<Step> steps = libraryQueueSteps();
    return std::any_of(std::begin(samples), std::end(samples),
                       [&](const Sample& s) { return shows(s.layout, s.action); }) ||
           std::any_of(steps.begin(), steps.end(),
                       [&](const Step& s) { return shows(s.layout, s.action); });
}

// As redis-cli would print it, on one line.
QByteArray oneLine(const Reply& reply)
{
    if (reply.isInteger())
        return QByteArray::number(reply.integer);
    if (!reply.isArray())
        return reply.text;
    QByteArrayList parts;
    for (const Reply& item : reply.items)
        parts << oneLine(item);
    return parts.join(' ');
}

} // namespace

// Each step that a layout offers, from its menu through the form and the plan to the receipt, by
// clicks and keys; what it did is read from the server.
class TestEachAction : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }

    void noneIsLeftOut()
    {
        for (const Layout* layout : allLayouts()) {
            for (const Action* action : actionsFor(*layout)) {
                // Layouts may share an action: one of them shows it.
                QVERIFY2(isShown(*action), (layout->id() + ' ' + action->id()).constData());
            }
        }
    }

    void step_data()
    {
        QTest::addColumn<int>("number");
        for (int i = 0; i < int(std::size(samples)); ++i)
            QTest::addRow("%s %s", samples[i].layout, samples[i].action) << i;
    }

    void step()
    {
        QFETCH(int, number);
        const Sample& sample = samples[number];
        const Layout* layout = findLayout(sample.layout);
        QVERIFY(layout);
        const Action* action = findAction(*layout, sample.action);
        QVERIFY(action);
        fillServer();
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(primitives));
        if (action->needsTarget()) {
            const QString name = sample.board == test::Tokens ? test::tokenRow(sample.row)
                                                              : QString::fromLatin1(sample.row);
            QVERIFY(openBoard(console, sample.board, name, primitives));
        } else {
            console.window.showBoard(sample.board);
        }
        if (action->writes())
            QVERIFY(enableWriteMode(console));
        if (action->needsTarget()) {
            openDialog(console, *action);
        } else {
            auto* make = ConsoleWindow::button<QToolButton>(console.page(sample.board),
                                                            action->title() + QStringLiteral("…"));
            QVERIFY(make);
            QTest::mouseClick(make, Qt::LeftButton);
        }
        QTRY_VERIFY(dialog(console));
        const QRegularExpression tells{QString::fromLatin1(sample.tells)};
        if (!action->writes()) {
            QTRY_VERIFY2(tells.match(said(console)).hasMatch(), qPrintable(said(console)));
            QVERIFY(!verb(console));
            return;
        }
        takeStep(console, sample.fields);
        const QByteArray now = replyTo(sample.effect);
        QVERIFY2(tells.match(QString::fromLatin1(now)).hasMatch(), now.constData());
    }

    void stepOfALibrary_data()
    {
        QTest::addColumn<int>("number");
        int number = 0;
        for (const Step& step : libraryQueueSteps())
            QTest::addRow("%s %s", step.layout, step.action) << number++;
    }

    // On a server of that library's own.
    void stepOfALibrary()
    {
        QFETCH(int, number);
        const Step step = libraryQueueSteps()[size_t(number)];
        const Timed timed(m_server);
        m_server.flush();
        for (const QString& line : QString::fromUtf8(timed(step.setup)).split(between))
            QVERIFY2(!m_server.line(line.toUtf8()).isError(), qPrintable(line));
        ConsoleWindow console(setup(libraryConfig));
        QVERIFY(openBoard(console, Queues, QString::fromLatin1(step.primitive), 1));
        QVERIFY(enableWriteMode(console));
        const Action* action = findAction(*findLayout(step.layout), step.action);
        QVERIFY(action);
        QTRY_COMPARE(whyNot(console, step, *action),
                     QString()); // a queue's messages are read later
        openDialog(console, *action);
        QTRY_VERIFY(dialog(console));
        const std::vector<QByteArray> values = parseCommand(step.values).args();
        takeStep(console, QByteArrayList(values.begin(), values.end()).join(' '));
        QByteArrayList now;
        for (const QString& line : QString::fromUtf8(step.effect).split(between))
            now << replyTo(line.toUtf8());
        QCOMPARE(now.join(' ').trimmed(), step.seen);
    }

private:
    static QString whyNot(ConsoleWindow& console, const Step& step, const Action& action)
    {
        for (const auto& [handle, kept] : console.session().states()) {
            const StatePtr state = kept.state();
            const Primitive& queue = *state->primitive;
            if (queue.id.layout == step.layout && queue.name() == step.primitive)
                return action.unavailable(*state);
        }
        return QStringLiteral("no queue");
    }

    void openDialog(ConsoleWindow& console, const Action& action)
    {
        const QString title = action.title();
        act(console, title.endsWith(QLatin1Char('?')) ? title : title + QStringLiteral("…"));
    }

    // From the form to the receipt.
    void takeStep(ConsoleWindow& console, const QByteArray& fields)
    {
        if (auto* show = button(console, QStringLiteral("Plan"))) {
            for (const QString& field :
                 QString::fromLatin1(fields).split(QLatin1Char(' '), Qt::SkipEmptyParts))
                fill(console, field.section(QLatin1Char('='), 0, 0),
                     textOf(field.section(QLatin1Char('='), 1)));
            QVERIFY(show->isEnabled());
            QTest::mouseClick(show, Qt::LeftButton);
        } else {
            QCOMPARE(fields, QByteArray());
        }
        QTRY_VERIFY2(verb(console), qPrintable(said(console)));
        QVERIFY(!said(console).isEmpty());
        QVERIFY(button(console, QStringLiteral("Cancel"))->hasFocus());
        QTest::mouseClick(verb(console), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!receipt(console).isEmpty(), 10'000);
        QVERIFY2(receipt(console) == QStringLiteral("Succeeded"), qPrintable(said(console)));
    }

    Session::Setup setup(const char* toml = config) const
    {
        Session::Setup setup = setupFor(m_server.url(), toml);
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }

    void fillServer()
    {
        const qint64 now = serverNowMs(m_server);
        const auto ms = [now](qint64 from) { return QByteArray::number(now + from); };
        const auto s = [now](qint64 from) { return QByteArray::number(now / 1000 + from); };
        const QByteArray token = " QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY= ";
        const auto mark = [](const char* key, const QByteArray& at) {
            return QByteArray("ZADD ") + key + ' ' + at + ' ' + at;
        };
        m_server.lines({"FLUSHALL",
                        "SET lock:held owner-1 PX 600000",
                        "SET lock:orphan owner-2",
                        "SET stamp.old " + s(-60),
                        "SET stamp.good " + s(600),
                        "RPUSH jobs j1 j2",
                        "RPUSH jobs:processing p1 p2",
                        "RPUSH jobs:dead d1",
                        "ZADD jobs:delayed 1900000000000 later",
                        "RPUSH sites:rotation a b c",
                        "SET quota:b 4 PX 280000",
                        "SET quota:stuck 3",
                        "SET spawn:gate:7 1 PX 20000",
                        "SET spawn:gate:8 2",
                        mark("search:rate", ms(-2000)),
                        mark("search:rate", ms(-1000)),
                        "PEXPIRE search:rate 600000",
                        mark("api:rate", ms(-2000)),
                        mark("api:rate", ms(-1000)),
                        mark("api:retry", ms(120'000)),
                        mark("api:retry", ms(240'000)),
                        "ZADD z:rl:resource:12{12} " + s(-2) + " 104768",
                        "ZADD z:rl:resource:12{12} " + s(-1) + " 111348",
                        "ZADD z:rl:resource:12{12}:consumer:1 " + s(-2) + " 104768",
                        "ZADD z:rl:resource:12{12}:consumer:1 " + s(-1) + " 111348",
                        "HSET acme rate 3 interval 60000 type 0",
                        "SET {acme}:value 1",
                        "SET code:a1fa5c S3CRET PX 90000",
                        "HSET user_token:good some_metadata x used_by 0",
                        "PEXPIRE user_token:good 90000",
                        "HINCRBY user_token:ghost used_by 1",
                        "SET orders:counter 42",
                        "SET seats 1",
                        "HSET invoice 62556984-2963-4021-a640-1f556ae9948d:47 1",
                        "PEXPIRE invoice 600000",
                        "SET tickets 1",
                        QByteArray("ZADD report ") + ms(60'000) + token + ms(60'000) + " __write__",
                        "PEXPIREAT report " + ms(60'000),
                        "SET book.writer WEB_01_4242_0123456789abcdef0123456789abcdef PX 60000",
                        "SET shop_database_export1 p5XWtYlOHhbNnqYzAbCd PX 60000",
                        "SET SEMAPHORE:gpu:EXISTS 1",
                        "SET SEMAPHORE:gpu:VERSION 1",
                        "RPUSH SEMAPHORE:gpu:AVAILABLE 1",
                        "HSET SEMAPHORE:gpu:GRABBED 0 1795223340.5",
                        "HSET uniquejobs:1ab51d398abfa77a6a4d0f4d5d0aa6c5:LOCKED "
                        "1ab51d398abfa77a6a4d0f4d 1595000000.5",
                        "SET rueidislock:0:import \\xff23456789012345678901234 PX 600000",
                        "SET rueidislock:1:import \\xff23456789012345678901234 PX 600000"});
        m_server.run({"ZADD", "{tickets}:timeout", ms(60'000), QByteArray(16, '\x01')});
        m_server.run({"ZADD", "{acme}:permits", ms(-1000), QByteArray("abcd\x01\0\0\0", 8)});
    }

    QString textOf(const QString& given)
    {
        return given.startsWith(QLatin1Char('@'))
                   ? QString::fromUtf8(m_server.run({"GET", given.mid(1).toUtf8()}).text)
                   : given;
    }

    /// Besides commands: AHEAD KEY, by how many seconds the time that it holds is ahead; HASHES
    /// PATTERN, the names of keys that are hashes.
    QByteArray replyTo(const QByteArray& command)
    {
        const QByteArray rest = command.mid(command.indexOf(' ') + 1);
        if (command.startsWith("AHEAD "))
            return QByteArray::number(m_server.run({"GET", rest}).text.toLongLong() -
                                      serverNowMs(m_server) / 1000);
        if (command.startsWith("HASHES "))
            return oneLine(
                m_server.run({"SCAN", "0", "MATCH", rest, "COUNT", "1000", "TYPE", "hash"})
                    .items[1]);
        return oneLine(m_server.line(command));
    }

    RedisServer m_server;
    QTemporaryDir m_folder;
};

QTEST_MAIN(TestEachAction)
#include "tst_eachaction.moc"
