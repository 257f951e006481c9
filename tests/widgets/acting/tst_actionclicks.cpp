// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/sessionstates.h"
#include "tests/server/acting.h"
#include "tests/server/librarysteps.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"
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
constexpr auto halfAMinute = "^(3[01]|2\\d)$";

// Each differs from the others in its board, its form or its answer.
constexpr Sample samples[] = {
    {"set-nx-px", "lock.release", Locks, "lock:held", "", "EXISTS lock:held", "^0$"},
    {"set-nx-px", "lock.ttl", Locks, "lock:orphan", "ttl=30s", "TTL lock:orphan", halfAMinute},
    {"redisson-semaphore", "lock.release", Locks, "seats", "permits=2", "GET seats", "^3$"},
    {"setnx-timestamp", "lock.release", Locks, "stamp.good", "owner=@stamp.good",
     "EXISTS stamp.good", "^0$"},
    {"reliable-list", "queue.requeue", Queues, "jobs", "all=", "LRANGE jobs 0 -1", "^j1 j2 p1 p2$"},
    {"reliable-list", "queue.push", Queues, "jobs", "payload=hello", "LINDEX jobs 0", "^hello$"},
    {"reliable-list", "queue.rotate", Queues, "jobs", "", "LRANGE jobs 0 -1", "^j2 j1$"},
    {"fixed-window", "limiter.check", Limiters, "quota:b", "", "",
     "It would pass: 6 of 10 remaining"},
    {"resource-consumer", "limiter.clear", Limiters, "z:rl:resource:12{12}", "consumer=1",
     "EXISTS z:rl:resource:12{12} z:rl:resource:12{12}:consumer:1", "^1$"},
    {"redisson-rate-limiter", "limiter.rate", Limiters, "acme", "limit=7 interval=30s",
     "HMGET acme rate interval", "^7 30000$"},
    {"string-token", "token.issue", Tokens, "", "prefix=mail: ttl=1h payload=x", "KEYS mail:*",
     "^mail:[A-Za-z0-9]+$"},
    {"hash-token", "token.consume", Tokens, "user_token:good", "", "HGET user_token:good used_by",
     "^1$"},
    {"counter", "key.delete", Patterns, "orders:counter", "", "EXISTS orders:counter", "^0$"},
};
constexpr int primitives = 11;
const QString between = QStringLiteral(" | ");

constexpr auto config = R"(
[[limiter]]
key = "quota:*"
layout = "fixed-window"
limit = 10
window = "5m"
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

/// Actions by clicks and keys: from the menu through the form and the plan to the receipt. The
/// effect is read from the server. tests/lua and tst_actionrunner try each action.
class TestActionClicks : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
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
        const std::vector<Step> steps = libraryQueueSteps();
        for (const char* layout : {"bullmq", "celery"}) {
            const auto first = std::find_if(steps.begin(), steps.end(), [&](const Step& s) {
                return s.layout == QByteArray(layout);
            });
            QVERIFY(first != steps.end());
            QTest::addRow("%s %s", layout, first->action) << int(first - steps.begin());
        }
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
        for (const auto& [handle, kept] : console.session().states().all()) {
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
        const auto s = [now](qint64 from) { return QByteArray::number(now / 1000 + from); };
        m_server.lines(
            {"FLUSHALL", "SET lock:held owner-1 PX 600000", "SET lock:orphan owner-2",
             "SET stamp.good " + s(600), "RPUSH jobs j1 j2", "RPUSH jobs:processing p1 p2",
             "SET quota:b 4 PX 280000", "ZADD z:rl:resource:12{12} " + s(-2) + " 104768",
             "ZADD z:rl:resource:12{12} " + s(-1) + " 111348",
             "ZADD z:rl:resource:12{12}:consumer:1 " + s(-2) + " 104768",
             "ZADD z:rl:resource:12{12}:consumer:1 " + s(-1) + " 111348",
             "HSET acme rate 3 interval 60000 type 0", "SET {acme}:value 1",
             "SET code:a1fa5c S3CRET PX 90000", "HSET user_token:good some_metadata x used_by 0",
             "PEXPIRE user_token:good 90000", "SET orders:counter 42", "SET seats 1"});
        m_server.run({"ZADD", "{acme}:permits", QByteArray::number(now - 1000),
                      QByteArray("abcd\x01\0\0\0", 8)});
    }

    QString textOf(const QString& given)
    {
        return given.startsWith(QLatin1Char('@'))
                   ? QString::fromUtf8(m_server.run({"GET", given.mid(1).toUtf8()}).text)
                   : given;
    }

    QByteArray replyTo(const QByteArray& command) { return oneLine(m_server.line(command)); }

    RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestActionClicks);
#include "tst_actionclicks.moc"
