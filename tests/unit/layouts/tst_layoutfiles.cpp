// SPDX-License-Identifier: GPL-3.0-or-later
// Layout files: those that are built in, an operator's own, and what is refused.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/files/family.h"
#include "backend/libraries/families/files/layoutfilereader.h"
#include "backend/libraries/families/files/processlayouts.h"

#include <QDir>
#include <QtTest>

using namespace lk;

namespace {

const QByteArray own = R"(id = "shop-checkout"
title = "Checkout limiter"
family = "fixed-window"

[[key]]
role = "counter"
name = "shop:{shop}:checkout:{customer}"

[limit]
fixed = 20

[window]
fixed = "1m"
)";

LimiterState limiterOf(const Result<State>& state)
{
    return state && state->as<LimiterState>() ? *state->as<LimiterState>() : LimiterState();
}

} // namespace

class TestLayoutFiles : public QObject
{
    Q_OBJECT

private slots:
    // Before the list of layouts is used for the first time.
    void initTestCase()
    {
        const Result<LayoutFile> file = parseLayoutFile(own, QStringLiteral("own.toml"));
        QVERIFY2(file, file ? "" : qPrintable(file.error().detail));
        QVERIFY(addLayout(*file));
        const Result<void> again = addLayout(*file);
        QVERIFY(!again);
        QCOMPARE(again.error().detail,
                 QStringLiteral("own.toml: the layout shop-checkout already exists; choose "
                                "another id"));
    }

    void builtInFilesAreWhole()
    {
        const QDir folder(QStringLiteral(":/layouts"));
        const QStringList names = folder.entryList(QDir::Files);
        QVERIFY(!names.isEmpty());
        for (const QString& name : names) {
            const Result<LayoutFile> file = loadLayoutFile(folder.filePath(name));
            QVERIFY2(file, file ? "" : qPrintable(file.error().detail));
            QCOMPARE(QString::fromLatin1(file->id) + QStringLiteral(".toml"), name);
            const char* at = qPrintable(name);
            QVERIFY2(!file->library.isEmpty() && !file->versions.isEmpty(), at);
            QVERIFY2(file->url.startsWith(QLatin1String("https://")), at);
            QVERIFY2(file->proven != Proven::Unknown, at);
            const Layout* layout = findLayout(file->id);
            QVERIFY2(layout && layout->kind() == file->kind, at);
        }
    }

    void idsAreUnique()
    {
        QSet<QByteArray> ids;
        for (const Layout* layout : allLayouts()) {
            QVERIFY2(!ids.contains(layout->id()), layout->id().constData());
            ids.insert(layout->id());
            QCOMPARE(findLayout(layout->id()), layout);
        }
    }

    void anOwnLayoutIsDetectedAndRead()
    {
        FakeKeys keys;
        keys.string("shop:berlin:checkout:7", "20", 41'000);
        keys.string("shop:berlin:checkout:8", "{}", 41'000);
        const auto found = keys.discover();
        QCOMPARE(found.keys(), QList<QByteArray>{"shop-checkout shop:berlin:checkout:7"});
        const Result<State> state = keys.read(found.first());
        const LimiterState limiter = limiterOf(state);
        QCOMPARE(limiter.occupancy, std::optional<qint64>(20));
        QCOMPARE(limiter.limit, std::optional<qint64>(20));
        QCOMPARE(limiter.limitSource, Source::Declared);
        QCOMPARE(limiter.windowMs, std::optional<qint64>(60'000));
        QCOMPARE(limiter.nextFreeMs, std::optional<qint64>(41'000));
        QVERIFY(state->present);
    }

    void wordListsAreWhole();
    void keysOfAQueueHaveNames();
    void mistakesAreRefused_data();
    void mistakesAreRefused();
};

void TestLayoutFiles::wordListsAreWhole()
{
    const QStringList names = QDir(QStringLiteral(":/words")).entryList(QDir::Files);
    QVERIFY(!names.isEmpty());
    for (const QString& name : names) {
        const WordFile file(name.chopped(4).toLatin1().constData());
        QVERIFY2(!file.list().all.empty() && file.list().all.size() < 256, qPrintable(name));
        for (const std::string_view word : file.list().all) {
            const bool isWord = word.size() <= WordList::longest &&
                                std::all_of(word.begin(), word.end(), [](char c) {
                                    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
                                });
            QVERIFY2(isWord, qPrintable(name));
        }
    }
}

// Several keys may hold failed jobs if each has its own name, which its state has unless the file
// says otherwise.
void TestLayoutFiles::keysOfAQueueHaveNames()
{
    QByteArray queue = R"(id = "shop-jobs"
title = "Shop jobs"
family = "job-queue"
sure = 0.96
[[key]]
role = "waiting"
called = "todo"
state = "queued"
name = "shop:{queue}:todo"
[[key]]
role = "failed"
name = "shop:{queue}:failed"
[[key]]
role = "failed"
called = "late"
name = "shop:{queue}:late"
)";
    const Result<LayoutFile> file = parseLayoutFile(queue, QStringLiteral("own.toml"));
    QVERIFY2(file, file ? "" : qPrintable(file.error().detail));
    QCOMPARE(file->confidence, 0.96);
    QCOMPARE(file->keys[0].role, QByteArray("todo"));
    QCOMPARE(file->keys[0].state, QByteArray("queued"));
    QCOMPARE(file->keys[1].state, QByteArray("failed"));
    QCOMPARE(file->keys[2].state, QByteArray("late"));
    const Result<LayoutFile> twice =
        parseLayoutFile(queue.replace("\"late\"", "\"todo\""), QStringLiteral("own.toml"));
    QVERIFY(!twice);
    QVERIFY2(twice.error().detail.contains(QStringLiteral("two keys are called \"todo\"")),
             qPrintable(twice.error().detail));
}

void TestLayoutFiles::mistakesAreRefused_data()
{
    QTest::addColumn<QByteArray>("right");
    QTest::addColumn<QByteArray>("wrong");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const char* right, const char* wrong, const char* says) {
        QTest::newRow(title) << QByteArray(right) << QByteArray(wrong) << QString::fromUtf8(says);
    };
    row("no TOML", "id =", "id", "own.toml:1: ");
    row("a misspelt key",
        "title =", "titel =", "own.toml:2: unknown key \"titel\"; did you mean \"title\"?");
    row("an empty title", "\"Checkout limiter\"", "\"\"", "own.toml:2: \"title\" is empty");
    row("an id of other letters", "shop-checkout", "Shop Checkout",
        "own.toml:1: \"id\" can contain only a to z, digits and -");
    row("an unknown family", "fixed-window", "fixed-windows",
        "own.toml:3: unknown family \"fixed-windows\"; did you mean \"fixed-window\"?");
    row("no text", "\"Checkout limiter\"", "5", "own.toml:2: \"title\" must be a string in quotes");
    row("no keys", "[[key]]", "[key]", "own.toml:5: keys are written as [[key]]");
    row("an unknown role", "\"counter\"", "\"count\"",
        "own.toml:6: unknown role \"count\"; did you mean \"counter\"?");
    row("no main key", "\"counter\"", "\"timer\"", "a [[key]] with role = \"counter\" is missing");
    row("no pattern", "{customer}", "{customer",
        "own.toml:7: \"shop:{shop}:checkout:{customer\": a { without its }");
    row("an unknown type", "{customer}", "{customer:number5x}",
        "own.toml:7: \"shop:{shop}:checkout:{customer:number5x}\": unknown type");
    row("a proof for another type", "\n\n[limit]", "\nmember = \"{id}\"\n\n[limit]",
        "own.toml:8: \"member\" is not for a string");
    row("no number", "fixed = 20", "fixed = 0",
        "own.toml:10: \"fixed\" must be a whole number above zero, such as 5");
    row("no duration", "\"1m\"", "\"1x\"", "own.toml:13: fixed: ");
    row("an unknown placeholder", "fixed = 20", "name = \"{limit}\"",
        "own.toml:10: the name of the main key has no placeholder limit; ");
    row("an unknown rule", "fixed = \"1m\"", "rule = \"buckets\"",
        "own.toml:13: unknown rule \"buckets\"; did you mean \"bucket\"?");
    row("a wake-up of what nobody waits for", "[window]", "[wake_up]\npush = \"a\"\n[window]",
        "own.toml:12: [wake_up] is for locks, not for the family fixed-window");
    row("a name for a key of no queue", "role = \"counter\"",
        "role = \"counter\"\ncalled = \"count\"",
        "own.toml:7: \"called\" is for job queues, not for the family fixed-window");
    row("no confidence", "family =", "sure = 2\nfamily =",
        "own.toml:3: \"sure\" must be a word, or a number between 0 and 1, such as 0.97");
    row("an unknown setting", "[window]", "[read]\ncount = \"up\"\n[window]",
        "own.toml:13: unknown key \"count\"; did you mean \"counts\"?");
}

void TestLayoutFiles::mistakesAreRefused()
{
    QFETCH(QByteArray, right);
    QFETCH(QByteArray, wrong);
    QFETCH(QString, says);
    QVERIFY(own.contains(right));
    QByteArray text = own;
    const qsizetype at = text.indexOf(right);
    text.replace(at, right.size(), wrong);
    const Result<LayoutFile> file = parseLayoutFile(text, QStringLiteral("own.toml"));
    QVERIFY(!file);
    QCOMPARE(file.error().code, ErrorCode::BadConfig);
    QVERIFY2(file.error().detail.contains(says), qPrintable(file.error().detail));
}

LK_TEST(TestLayoutFiles);
#include "tst_layoutfiles.moc"
