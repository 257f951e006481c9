// SPDX-License-Identifier: GPL-3.0-or-later
// The configuration file: what is taken, and what is refused with the line and what would be right.
#include "backend/config/config.h"
#include "backend/libraries/api/layout.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

using namespace lk;

class TestConfig : public QObject
{
    Q_OBJECT

private slots:
    void everythingThatMayBeWritten();
    void emptyIsNoDeclarations();
    void companionsNameTheMatchedKey();
    void examplesAreRight();
    void refusals_data();
    void refusals();
    void files();
    void pathsAreAbsolute();
};

void TestConfig::everythingThatMayBeWritten()
{
    const auto config = parseConfig(R"(
# a comment
[[limiter]]
key = "api:rate"
layout = "rolling-window-retry"
limit = 5
window = "1s"
retry = "api:retry"

[[queue]]
key = "jobs"
layout = "reliable-list"
processing = "jobs:processing"
dead = "jobs:dead"
delayed = "jobs:delayed"
stuck_after = "30s"

[[limiter]]
key = "z:rl:resource:*"
layout = "resource-consumer"
limit = 5
window = "10s"
consumer_limit = 3

[[lock]]
key = "lock:*"
layout = "set-nx-px"

[[token]]
key = "code:*"
layout = "string-token"
max_ttl = "24h"

[[queue]]
key = "events"
layout = "event-queue"
helper = "wakeups"

[[pattern]]
key = "seats"
layout = "array"
record = 16

[[pattern]]
key = "pagewviews.user:*"
layout = "navigation-session"
ttl = "60s"

[[pattern]]
key = "top"
layout = "sort-cache"
lock = "lock:{name}"
)",
                                    QStringLiteral("a.toml"));
    QVERIFY2(config, config ? "" : qPrintable(config.error().detail));
    const auto& d = config->declarations;
    QCOMPARE(d.size(), size_t(9));
    QCOMPARE(d[0]->kind, Kind::Limiter);
    QCOMPARE(d[0]->pattern, QByteArray("api:rate"));
    QCOMPARE(d[0]->layout, QByteArray("rolling-window-retry"));
    QCOMPARE(d[0]->limit, std::optional<qint64>(5));
    QCOMPARE(d[0]->windowMs, std::optional<qint64>(1000));
    QCOMPARE(d[0]->companion("retry", "api:rate"), QByteArray("api:retry"));
    QCOMPARE(d[0]->line, 3);
    QCOMPARE(d[1]->kind, Kind::Queue); // in the file's order
    QCOMPARE(d[1]->stuckAfterMs, std::optional<qint64>(30'000));
    QCOMPARE(d[1]->companions.size(), size_t(3));
    QCOMPARE(d[2]->consumerLimit, std::optional<qint64>(3));
    QCOMPARE(d[3]->kind, Kind::Lock);
    QCOMPARE(d[4]->maxTtlMs, std::optional<qint64>(86'400'000));
    QCOMPARE(d[5]->companion("helper", "events"), QByteArray("wakeups"));
    QCOMPARE(d[6]->kind, Kind::Pattern);
    QCOMPARE(d[6]->recordBytes, std::optional<qint64>(16));
    QCOMPARE(d[7]->ttlMs, std::optional<qint64>(60'000));
    QCOMPARE(d[8]->companion("lock", "top"), QByteArray("lock:top"));
}

void TestConfig::emptyIsNoDeclarations()
{
    for (const char* text : {"", "# nothing yet\n", "\n\n"}) {
        const auto config = parseConfig(text, QStringLiteral("a.toml"));
        QVERIFY(config && config->declarations.empty());
    }
}

void TestConfig::companionsNameTheMatchedKey()
{
    const auto config = parseConfig("[[limiter]]\nkey=\"rl:*\"\nlayout=\"rolling-window-retry\"\n"
                                    "retry=\"{name}:later\"\n",
                                    QStringLiteral("a.toml"));
    QVERIFY(config);
    QCOMPARE(config->declarations[0]->companion("retry", "rl:7"), QByteArray("rl:7:later"));
}

// The example declarations of each kind are valid as they are.
void TestConfig::examplesAreRight()
{
    for (const Kind kind : allKinds) {
        const QByteArray example = exampleDeclaration(kind).toUtf8();
        const auto config = parseConfig(example, QStringLiteral("example"));
        QVERIFY2(config, qPrintable(config ? QString() : config.error().detail));
        QCOMPARE(config->declarations.size(), size_t(1));
        QCOMPARE(config->declarations[0]->kind, kind);
    }
}

void TestConfig::refusals_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<QByteArrayList>("words");
    const auto row = [](const char* title, const QByteArray& text, int line, QByteArrayList words) {
        QTest::newRow(title) << text << line << words;
    };
    const QByteArray limiter = "[[limiter]]\nkey = \"a\"\nlayout = \"rolling-window\"\n";
    row("unknown table", "[[limitter]]\nkey=\"a\"\n", 1,
        {"limitter", "did you mean \"limiter\"", "queue"});
    row("a single table", "[limiter]\nkey=\"a\"\n", 1, {"[[limiter]]"});
    row("a value instead", "limiter = 5\n", 1, {"[[limiter]]"});
    row("something else at the top", "verbose = true\n", 1,
        {"verbose", "limiter, queue, lock, token"});
    row("unknown key", limiter + "windw = \"1s\"\n", 4, {"windw", "did you mean \"window\""});
    row("key of another kind", limiter + "max_ttl = \"1s\"\n", 4, {"max_ttl", "consumer_limit"});
    row("key of another layout", limiter + "retry = \"b\"\n", 4, {"retry", "rolling-window-retry"});
    row("consumer limit elsewhere", limiter + "consumer_limit = 3\n", 4, {"resource-consumer"});
    row("unknown layout", "[[lock]]\nkey=\"a\"\nlayout=\"setnxpx\"\n", 3,
        {"setnxpx", "did you mean \"set-nx-px\"", "setnx-timestamp"});
    row("layout far from any", "[[lock]]\nkey=\"a\"\nlayout=\"zookeeper\"\n", 3,
        {"zookeeper", "known: ", "set-nx-px", ", …"});
    row("layout of another kind", "[[lock]]\nkey=\"a\"\nlayout=\"gate\"\n", 3,
        {"gate", "[[limiter]]", "set-nx-px"});
    const QByteArray array = "[[pattern]]\nkey=\"a\"\nlayout=\"array\"\n";
    row("record of no bytes", array + "record = 0\n", 4, {"record", "above zero"});
    row("record in words", array + "record = \"16 bytes\"\n", 4, {"record", "whole number"});
    row("record misspelt", array + "recrod = 16\n", 4, {"did you mean \"record\""});
    row("ttl of an array", array + "ttl = \"60s\"\n", 4, {"ttl", "navigation-session"});
    row("lock of an array", array + "lock = \"l\"\n", 4, {"lock", "sort-cache"});
    row("limit of a pattern", array + "limit = 5\n", 4, {"limit", "record"});
    row("pattern under another table", "[[queue]]\nkey=\"a\"\nlayout=\"counter\"\n", 3,
        {"counter", "[[pattern]]", "event-queue"});
    row("dead letters of events", "[[queue]]\nkey=\"a\"\nlayout=\"event-queue\"\ndead=\"d\"\n", 4,
        {"reliable-list"});
    row("pattern misspelt", "[[patern]]\nkey=\"a\"\n", 1, {"did you mean \"pattern\""});
    row("no key", "\n[[lock]]\nlayout=\"set-nx-px\"\n", 2, {"key", "missing"});
    row("no layout", "\n[[lock]]\nkey=\"a\"\n", 2, {"layout", "missing", "set-nx-px"});
    row("empty key", "[[lock]]\nkey=\"\"\nlayout=\"set-nx-px\"\n", 2, {"key", "empty"});
    row("key is a number", "[[lock]]\nkey=5\nlayout=\"set-nx-px\"\n", 2, {"key", "string"});
    row("limit in quotes", limiter + "limit = \"5\"\n", 4, {"limit", "whole number"});
    row("limit zero", limiter + "limit = 0\n", 4, {"limit", "above zero"});
    row("limit negative", limiter + "limit = -1\n", 4, {"limit", "above zero"});
    row("limit with fraction", limiter + "limit = 2.5\n", 4, {"limit", "whole number"});
    row("window without unit", limiter + "window = \"10\"\n", 4, {"window", "250ms"});
    row("window as a number", limiter + "window = 10\n", 4, {"window", "duration"});
    row("window of a fortnight", limiter + "window = \"2w\"\n", 4, {"2w", "7d"});
    row("window zero", limiter + "window = \"0s\"\n", 4, {"window", "above zero"});
    row("part of a second where seconds count",
        "[[limiter]]\nkey=\"a\"\nlayout=\"resource-consumer\"\nwindow=\"1500ms\"\n", 4,
        {"whole seconds"});
    row("stuck after, of events",
        "[[queue]]\nkey=\"a\"\nlayout=\"event-queue\"\nstuck_after=\"1m\"\n", 4,
        {"stuck_after", "reliable-list"});
    row("declared twice", limiter + "[[lock]]\nkey=\"a\"\nlayout=\"set-nx-px\"\n", 5,
        {"\"a\"", "line 1"});
    row("key written twice", limiter + "key = \"b\"\n", 4, {"key"});
    row("not TOML", "[[limiter]\n", 1, {});
    row("a tab in a text", "[[lock]]\nkey = \"a\nlayout=\"set-nx-px\"\n", 2, {});
}

void TestConfig::refusals()
{
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    QFETCH(QByteArrayList, words);
    const auto config = parseConfig(text, QStringLiteral("conf/a.toml"));
    QVERIFY(!config);
    QCOMPARE(config.error().code, ErrorCode::BadConfig);
    const QString detail = config.error().detail;
    QVERIFY2(detail.startsWith(QStringLiteral("conf/a.toml:%1: ").arg(line)), qPrintable(detail));
    for (const QByteArray& word : words)
        QVERIFY2(detail.contains(QString::fromUtf8(word)), qPrintable(detail));
}

void TestConfig::files()
{
    QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("lockkeeper.toml"));
    const auto missing = loadConfig(path);
    QVERIFY(!missing);
    QCOMPARE(missing.error().code, ErrorCode::FileError);
    QVERIFY(missing.error().detail.contains(path));

    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[[lock]]\nkey=\"lock:*\"\nlayout=\"set-nx-px\"\n");
    file.close();
    const auto config = loadConfig(path);
    QVERIFY(config);
    QCOMPARE(config->declarations.size(), size_t(1));

    QVERIFY(file.open(QIODevice::Append));
    file.write("[[nonsense]]\n");
    file.close();
    QVERIFY(!loadConfig(path)); // nothing of it is applied

    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(1024 * 1024 + 1, '#'));
    file.close();
    const auto large = loadConfig(path);
    QVERIFY(!large);
    QCOMPARE(large.error().code, ErrorCode::FileError);
}

// A stored path means the same file, wherever the program is started next.
void TestConfig::pathsAreAbsolute()
{
    QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    const QString here = QDir::currentPath();
    QCOMPARE(absoluteConfigPath(QStringLiteral("a.toml")), here + QStringLiteral("/a.toml"));
    QCOMPARE(absoluteConfigPath(QStringLiteral("./b/../a.toml")), here + QStringLiteral("/a.toml"));
    QCOMPARE(absoluteConfigPath(QStringLiteral("/etc/a.toml")), QStringLiteral("/etc/a.toml"));
    QCOMPARE(absoluteConfigPath(QStringLiteral("~/a.toml")),
             QDir::homePath() + QStringLiteral("/a.toml"));
    QCOMPARE(absoluteConfigPath({}), QString());
    QVERIFY(QDir::setCurrent(before));
}

LK_TEST(TestConfig);
#include "tst_config.moc"
