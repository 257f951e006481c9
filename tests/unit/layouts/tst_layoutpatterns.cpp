// SPDX-License-Identifier: GPL-3.0-or-later
// The layouts of the pattern document: which keys are theirs, and the many alike that are not.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;

namespace {

constexpr qint64 noTtl = -1;

QByteArray winner(FakeKeys& keys, const QByteArray& key, const Classifier& c = Classifier())
{
    const auto found = keys.classify(key, c);
    const bool claimed = found && found->primitive.certainty() != Certainty::Possible;
    return claimed ? found->primitive.id.layout.text() : QByteArray("nobody");
}

const QByteArray bits = QByteArray("\x00\x42\x80\x00\x01", 5);

} // namespace

class TestLayoutPatterns : public QObject
{
    Q_OBJECT

private slots:
    void lists_data();
    void lists();
    void listsWithALock();
    void sets_data();
    void sets();
    void strings_data();
    void strings();
    void sortedSets_data();
    void sortedSets();
    void periods_data();
    void periods();
    void theKeysOfASeriesAreOne();
    void theHelperListFindsItsSet();
    void declaredNames_data();
    void declaredNames();
};

void TestLayoutPatterns::lists_data()
{
    QTest::addColumn<qint64>("ttl");
    QTest::addColumn<QByteArray>("layout");
    const auto row = [](const char* key, qint64 ttl, const char* layout) {
        QTest::newRow(key) << ttl << QByteArray(layout);
    };
    // the documents' own, and in the same manner
    row("pagewviews.user:17", 59'000, "navigation-session");
    row("pageviews:user:17", 60'000, "navigation-session");
    row("user:17:pageViews", 60'000, "navigation-session");
    row("clickstream:8f3a", 60'000, "navigation-session");
    row("sites:rotation", noTtl, "circular-list");
    row("round-robin:workers", noTtl, "circular-list");
    row("oncall:rota", noTtl, "circular-list");
    row("articles:sorted", 30'000, "sort-cache");
    row("cache:sorted:articles", 30'000, "sort-cache");
    // ordinary lists, for sessions
    row("pageviews:log", noTtl, "nobody");
    row("pageviews:archive", 90LL * 24 * 3600 * 1000, "nobody");
    row("chat:history:17", 60'000, "nobody");
    row("session:17", 60'000, "nobody");
    row("user:17:recent", 60'000, "nobody");
    row("page:17:comments", 60'000, "nobody");
    row("views:17", 60'000, "nobody");
    row("history", 60'000, "nobody");
    row("cart:17", 60'000, "nobody");
    row("messages:thread:17", 60'000, "nobody");
    row("nav:menu", 60'000, "nobody");
    // for rotations
    row("logs:rotation", noTtl, "nobody");
    row("key:rotation:history", noTtl, "nobody");
    row("hero:rotation:today", 60'000, "nobody"); // ends: a cache
    row("playlist", noTtl, "nobody");
    row("ring:buffer", noTtl, "nobody");
    row("timeline:17", noTtl, "nobody");
    row("around:robins", noTtl, "nobody");
    row("circle:members", noTtl, "nobody");
    row("rounds", noTtl, "nobody");
    row("turns", noTtl, "nobody");
    row("robin", noTtl, "nobody");
    row("rotations-done-by-bob", 60'000, "nobody");
    // for cached sorts
    row("resort:guests", 60'000, "nobody");
    row("assorted:chocolates", 60'000, "nobody");
    row("names:sorted", noTtl, "nobody");
    row("cache:articles", 60'000, "nobody");
    row("latest:articles", 60'000, "nobody");
    row("top10", 60'000, "nobody");
    row("ordered:items", 60'000, "nobody");
    row("consort:17", 60'000, "nobody");
    row("cache:list:17", 60'000, "nobody");
    row("ranking", 60'000, "nobody");
}

void TestLayoutPatterns::lists()
{
    QFETCH(qint64, ttl);
    FakeKeys keys;
    keys.list(QTest::currentDataTag(), {"a", "b"}, ttl);
    QTEST(winner(keys, QTest::currentDataTag()), "layout");
}

void TestLayoutPatterns::listsWithALock()
{
    FakeKeys keys;
    keys.list("sorted:articles", {"3", "1"});
    keys.string("sorted:articles:lock", "ef1f63c", 5000);
    const auto found = keys.discover();
    QCOMPARE(found.size(), 1); // the lock is no lock of its own
    const Primitive& cache = found.first();
    QCOMPARE(cache.id.layout, QByteArray("sort-cache"));
    QCOMPARE(cache.key("cache"), QByteArray("sorted:articles"));
    QCOMPARE(cache.key("lock"), QByteArray("sorted:articles:lock"));
    keys.remove("sorted:articles"); // without the list it is an ordinary lock
    QCOMPARE(winner(keys, "sorted:articles:lock"), QByteArray("set-nx-px"));
}

void TestLayoutPatterns::sets_data()
{
    QTest::addColumn<QByteArray>("helper");
    QTest::addColumn<QByteArray>("layout");
    const auto row = [](const char* key, const char* helper, const char* layout) {
        QTest::addRow("%s beside %s", key, helper) << QByteArray(helper) << QByteArray(layout);
    };
    row("events", "helper_events", "event-queue");
    row("notifications:mail", "notifications:mail:helper", "event-queue");
    row("events:pending", "", "event-queue");
    for (const char* ordinary :
         {"events", "user:17:events", "event:17:attendees", "notifications:17", "cities", "tags",
          "queue:names", "pending:users", "workers", "signals", "prevents:pending", "inbox:17"})
        row(ordinary, "", "nobody");
}

void TestLayoutPatterns::sets()
{
    QFETCH(QByteArray, helper);
    const QByteArray key = QByteArray(QTest::currentDataTag()).split(' ').first();
    FakeKeys keys;
    keys.set(key, {"a", "b"});
    if (!helper.isEmpty())
        keys.list(helper, {"x"});
    QTEST(winner(keys, key), "layout");
}

void TestLayoutPatterns::strings_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("ttl");
    QTest::addColumn<QByteArray>("layout");
    const auto row = [](const char* key, const QByteArray& value, const char* layout,
                        qint64 ttl = noTtl) {
        QTest::addRow("%s %s", key, value.left(8).toHex().constData())
            << value << ttl << QByteArray(layout);
    };
    row("mycounter", "0", "counter");
    row("pages:counter", "17", "counter");
    row("signups:count", "-3", "counter");
    // numbers that belong to no layout, or to another one
    row("counter:text", "seventeen", "nobody");
    row("counter:started", "1795223350", "nobody");
    row("api:rate:counter", "3", "nobody");
    row("api:ratelimit:counter", "3", "fixed-window");
    row("app:rate_limit", "100", "nobody"); // a setting, not a count
    row("rate_limit:10.1.2.3", "3", "fixed-window");
    row("visits:counter", "3", "nobody", 60'000);
    row("retry:count", "3", "nobody");
    row("lock:count", "3", "nobody");
    row("semaphore:count", "3", "nobody");
    row("pages:hits", "17", "nobody");
    row("country:code", "49", "nobody");
    row("account", "17", "nobody");
    row("discount", "17", "nobody");
    row("user:17:age", "17", "nobody");
    row("max:counter", "17", "nobody");
    row("counterparty", "17", "nobody");
    row("users:active:2026-11-21", bits, "bitmap");
    row("dau:2026112105", bits, "bitmap");
    row("play:2026/11/21", bits, "bitmap", 60'000);
    row("users:active", bits, "nobody");
    row("users:active:2026-11-21", "1234", "nobody");
    row("users:active:2026-13-21", bits, "nobody");
    row("visitors:2026-11-21", QByteArray("HYLL\x01\x00\x00\x80", 8), "nobody");
    row("report:2026-11-21", bits, "nobody");
    row("users:2026-11-21", QByteArray("\x1f\x8b\x08\x00", 4), "nobody");
    row("users:export:2026-11-21", R"({"id": 17})", "nobody");
    row("users:photo:2026-11-21", QByteArray("\xff\xd8\xff\xe0", 4), "nobody");
    row("seen:2026-11", bits, "nobody");
    row("users:17", bits, "nobody");
    row("visits:20261121123", bits, "nobody");
    row("seats:array", QByteArray("bob\0\0\0\0\0eve\0", 12), "array");
    row("records:2", QByteArray("\0\0\0\0\0\0Redis", 11), "array");
    // the document's own names say nothing
    row("key2", QByteArray("\0\0\0\0\0\0Redis", 11), "nobody");
    row("key1", "Hello Redis", "nobody");
    row("seats:array", "[1,2,3]", "nobody");
    row("array", "Hello", "nobody");
    row("slots", "17", "nobody");
    row("records:total", "17000", "nobody");
    row("image:17", QByteArray("\x89PNG\0\0", 6), "nobody");
    row("cells:json", R"({"a": 1})", "nobody");
    row("blob", QByteArray(64, '\0'), "nobody");
    row("session:17", QByteArray("\x80\x04\x95\0\0", 5), "nobody");
    row("arrayed", QByteArray("\0a", 2), "nobody");
    row("recording:1", QByteArray("\0a", 2), "nobody");
}

void TestLayoutPatterns::strings()
{
    QFETCH(QByteArray, value);
    QFETCH(qint64, ttl);
    const QByteArray key = QByteArray(QTest::currentDataTag()).split(' ').first();
    FakeKeys keys;
    keys.string(key, value, ttl);
    QTEST(winner(keys, key), "layout");
}

using Members = std::vector<ScoredMember>;
Q_DECLARE_METATYPE(Members)

void TestLayoutPatterns::sortedSets_data()
{
    QTest::addColumn<Members>("members");
    QTest::addColumn<QByteArray>("layout");
    const auto row = [](const char* key, Members members, const char* layout) {
        QTest::newRow(key) << members << QByteArray(layout);
    };
    row("markov:the", {{"cat", 0.5}, {"dog", 1}}, "weighted-set");
    row("banner:weights", {{"a", 10}, {"b", 35}}, "weighted-set");
    const double s = 1795223350;
    row("leaderboard", {{"parzival", 1000000}, {"art3mis", 900000}}, "nobody");
    row("weight:log", {{"1795223350", s}, {"1795223351", s + 1}}, "nobody");
    row("weight:ins", {{"1795223350", s}, {"1795223351", s + 1}}, "rolling-window");
    row("lottery:drawn", {{"bob", s - 5}, {"eve", s}}, "nobody");
    row("weights:balance", {{"a", -3}, {"b", 2}}, "nobody");
    row("weights:endless", {{"a", 1}, {"b", qInf()}}, "nobody");
    row("weights:zero", {{"a", 0}, {"b", 0}}, "nobody");
    row("ratings", {{"a", 0.2}, {"b", 1}}, "nobody");
    row("prices", {{"a", 9.5}, {"b", 19}}, "nobody");
    row("priority", {{"a", 1}, {"b", 2}}, "nobody");
    row("featherweights", {{"a", 52}, {"b", 57}}, "nobody");
    row("distances", {{"a", 0.5}, {"b", 1}}, "nobody");
    row("autocomplete", {{"a", 0}, {"ab", 0}}, "nobody");
    row("geo:cities", {{"Berlin", 3673983964876493}}, "nobody");
}

void TestLayoutPatterns::sortedSets()
{
    QFETCH(Members, members);
    FakeKeys keys;
    keys.nowMs = 1795223350117;
    keys.zset(QTest::currentDataTag(), members);
    QTEST(winner(keys, QTest::currentDataTag()), "layout");
}

void TestLayoutPatterns::periods_data()
{
    QTest::addColumn<QByteArray>("form");
    QTest::newRow("a:2026-11-21") << QByteArray("a:YYYY-MM-DD");
    QTest::newRow("a:2026-11-21:05") << QByteArray("a:YYYY-MM-DD:HH");
    QTest::newRow("a:2026-11-21T05") << QByteArray("a:YYYY-MM-DDTHH");
    QTest::newRow("20261121:a") << QByteArray("YYYYMMDD:a");
    QTest::newRow("a:2026112123") << QByteArray("a:YYYYMMDDHH");
    QTest::newRow("a:2026112124") << QByteArray();
    QTest::newRow("a:2026-11-21-17-b") << QByteArray("a:YYYY-MM-DD-HH-b");
    QTest::newRow("a:2026-11-21:170") << QByteArray("a:YYYY-MM-DD:170");
    QTest::newRow("a:2026-11:21") << QByteArray();
    QTest::newRow("a:1999-11-21") << QByteArray();
    QTest::newRow("a:12026-11-21") << QByteArray();
    QTest::newRow("2026-11-2") << QByteArray();
    QTest::newRow("") << QByteArray();
}

void TestLayoutPatterns::periods()
{
    FakeKeys keys;
    const QByteArray name = "dau." + QByteArray(QTest::currentDataTag());
    keys.string(name, bits);
    const auto found = keys.classify(name);
    QFETCH(QByteArray, form);
    QCOMPARE(found ? found->primitive.id.name : QByteArray(),
             form.isEmpty() ? QByteArray() : "dau." + form);
}

void TestLayoutPatterns::theKeysOfASeriesAreOne()
{
    FakeKeys keys;
    for (const char* day : {"19", "20", "21"}) {
        keys.string(QByteArray("active:2026-11-") + day, bits);
        keys.string(QByteArray("active:2026-11-") + day + "T05", bits);
    }
    const auto found = keys.discover();
    QCOMPARE(found.keys(),
             (QList<QByteArray>{"bitmap active:YYYY-MM-DD", "bitmap active:YYYY-MM-DDTHH"}));
    QCOMPARE(found.first().keys.size(), size_t(3));
}

void TestLayoutPatterns::theHelperListFindsItsSet()
{
    FakeKeys keys; // the document's names: neither says what it is
    keys.set("key", {"a"});
    keys.list("helper_key", {"x"});
    keys.list("helper_other", {"x"});
    const auto found = keys.discover();
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().key("events"), QByteArray("key"));
    QCOMPARE(found.first().key("helper"), QByteArray("helper_key"));
}

void TestLayoutPatterns::declaredNames_data()
{
    QTest::addColumn<QByteArray>("toml");
    const auto row = [](const char* layout, const char* kind = "pattern") {
        QTest::newRow(layout) << QByteArray("[[") + kind + "]]\nkey = \"k*\"\nlayout = \"" +
                                     layout + "\"\n";
    };
    for (const char* layout : {"circular-list", "navigation-session", "counter", "bitmap",
                               "sort-cache", "weighted-set", "array"})
        row(layout);
    row("event-queue", "queue");
}

void TestLayoutPatterns::declaredNames()
{
    QFETCH(QByteArray, toml);
    FakeKeys keys;
    const Classifier classifier(configOf(toml));
    keys.string("k", "17");
    const auto found = keys.classify("k", classifier);
    QVERIFY(found && found->declared);
    QCOMPARE(found->primitive.id.layout, QByteArray(QTest::currentDataTag()));
    QCOMPARE(found->primitive.keys.front().key, QByteArray("k"));
    // A key of another type than the layout's is reported, not misread.
    const Layout* layout = findLayout(QTest::currentDataTag());
    const auto state = keys.read(found->primitive, Depth::Detail);
    QCOMPARE(bool(state), layout->mainType() == KeyType::String);
    if (!state)
        QCOMPARE(state.error().code, ErrorCode::WrongType);
}

LK_TEST(TestLayoutPatterns);
#include "tst_layoutpatterns.moc"
