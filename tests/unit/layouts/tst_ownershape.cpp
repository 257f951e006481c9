// SPDX-License-Identifier: GPL-3.0-or-later
// The owner in the value of a lock.
#include "backend/libraries/families/locks/locknames.h"
#include "backend/libraries/families/locks/ownershape.h"
#include "tests/support/testprogram.h"

#include <QtTest>

using namespace lk;

namespace {

constexpr qint64 now = 1795223350117;
const QByteArray uuid = QByteArrayLiteral("62556984-2963-4021-a640-1f556ae9948d");

} // namespace

class TestOwnerShape : public QObject
{
    Q_OBJECT

private slots:
    void forms_data();
    void forms();
    void redisPyTellsTimeAndCard();
    void timesThatCannotBe();
    void shedLockTellsHostAndTime();
    void processesAndThreads();
    void partsOfLargerThings_data();
    void partsOfLargerThings();
    void placesInNames();
};

void TestOwnerShape::forms_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<int>("form");
    QTest::addColumn<QByteArray>("label");
    const auto row = [](const QByteArray& value, OwnerForm form, const char* label = "") {
        QTest::addRow("%s", value.constData()) << value << int(form) << QByteArray(label);
    };
    row("UUID1", OwnerForm::Uuid1Hex);
    row("4e2702f8577d4111a6401f556ae9948d", OwnerForm::Hex32);
    row("12345678901234567890123456789012", OwnerForm::Unknown);
    row(uuid, OwnerForm::Uuid);
    row(uuid + "-web", OwnerForm::Uuid);
    row(uuid + "_0", OwnerForm::Uuid);
    row(uuid + ":12", OwnerForm::UuidAndCount, "62556984:12");
    row(uuid + ":12:write", OwnerForm::UuidAndCount, "62556984:12");
    row(uuid + ":x", OwnerForm::Unknown);
    row("ADDED:2026-11-21T01:09:08.120Z@web-1", OwnerForm::AddedAtHost, "web-1");
    row("ADDED:yesterday@web-1", OwnerForm::Unknown);
    row("WEB_01_4242_0123456789abcdef0123456789abcdef", OwnerForm::MachinePid, "WEB_01, pid 4242");
    row("web_0123456789abcdef0123456789abcdef", OwnerForm::Unknown);
    row("QUJDREVGR0hJSktMTU5PUFFS", OwnerForm::Base64Of18);
    row("QUJDREVGR0hJSktMTU5PUA==", OwnerForm::Base64Of16);
    row("k8fJw2_q-ZtY0aLrX3bQ9M", OwnerForm::Base64Url22);
    row("p5XWtYlOHhbNnqYz", OwnerForm::Alnum16);
    row("p5XWtYlOHhbNnqYzAbCd", OwnerForm::Alnum20);
    row("web-1:4242", OwnerForm::HostPid);
    row("worker-3", OwnerForm::Unknown);
    row("1", OwnerForm::Unknown);
    row("", OwnerForm::Unknown);
    row("aaaaaaaaaaaaaaaa", OwnerForm::Unknown);
}

// Two seconds before now, by a card of Docker's.
static const QByteArray uuid1Hex = QByteArrayLiteral("27015200e54811f18f000242ac110002");

void TestOwnerShape::forms()
{
    QFETCH(QByteArray, value);
    const OwnerInfo info = ownerInfoOf(value == "UUID1" ? uuid1Hex : value, now);
    QTEST(int(info.form), "form");
    QVERIFY(mayBe(info.form, value == "UUID1" ? uuid1Hex : value));
    QTEST(ownerLabel(info), "label");
}

void TestOwnerShape::redisPyTellsTimeAndCard()
{
    const OwnerInfo info = ownerInfoOf(uuid1Hex, now);
    QCOMPARE(info.takenMs, std::optional<qint64>(1795223348000));
    QCOMPARE(info.mac, QByteArray("02:42:ac:11:00:02"));
    State state;
    addOwnerFacts(state, info);
    QCOMPARE(state.facts.size(), size_t(3));
    QCOMPARE(state.facts[0].value, QStringLiteral("redis-py"));
    QCOMPARE(state.facts[0].source, Source::Inferred);
}

// A random text of that form says some time, but hardly one of the last year.
void TestOwnerShape::timesThatCannotBe()
{
    constexpr qint64 day = 24LL * 3600 * 1000;
    QCOMPARE(ownerInfoOf(uuid1Hex, now - day).form, OwnerForm::Hex32);
    QCOMPARE(ownerInfoOf(uuid1Hex, now + 500 * day).form, OwnerForm::Hex32);
    QCOMPARE(ownerInfoOf(uuid1Hex, now + 100 * day).form, OwnerForm::Uuid1Hex);
    QVERIFY(!ownerInfoOf("ADDED:2036-11-21T01:09:08.120Z@web-1", now).takenMs);
}

void TestOwnerShape::shedLockTellsHostAndTime()
{
    const OwnerInfo old = ownerInfoOf("ADDED:2026-11-21T01:09:08.120Z@web-1.example.org", now);
    QCOMPARE(old.host, QByteArray("web-1.example.org"));
    QCOMPARE(old.takenMs, std::optional<qint64>(1795223348120));
    const OwnerInfo recent = ownerInfoOf("ADDED:2026-11-21T01:09:08.120Z@web-1:" + uuid, now);
    QCOMPARE(recent.host, QByteArray("web-1"));
    QCOMPARE(recent.client, uuid);
}

void TestOwnerShape::processesAndThreads()
{
    const OwnerInfo dotnet = ownerInfoOf("WEB_01_4242_0123456789abcdef0123456789abcdef", now);
    QCOMPARE(dotnet.host, QByteArray("WEB_01"));
    QCOMPARE(dotnet.process, QByteArray("4242"));
    const OwnerInfo redisson = ownerInfoOf(uuid + ":47", now);
    QCOMPARE(redisson.client, uuid);
    QCOMPARE(redisson.thread, QByteArray("47"));
    const OwnerInfo host = ownerInfoOf("web-1:4242:thread-7", now);
    QCOMPARE(host.host, QByteArray("web-1"));
    QCOMPARE(host.process, QByteArray("4242"));
    QCOMPARE(host.thread, QByteArray("thread-7"));
}

void TestOwnerShape::partsOfLargerThings_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("library");
    const auto row = [](const char* key, const QByteArray& value, const char* library) {
        QTest::addRow("%s = %s", key, value.constData())
            << QByteArray(key) << value << QByteArray(library);
    };
    row("unacked_mutex", uuid1Hex, "Celery");
    row("{acme}unacked_mutex", uuid1Hex, "Celery");
    row("redbeat::lock", uuid1Hex, "RedBeat");
    row("rq:scheduler-lock:mail", "4242", "RQ");
    row("bull:mail:7:lock", uuid + ":3", "BullMQ");
    row("acme:mail:7:lock", uuid + ":3", "BullMQ");
    row("bull:mail:7:lock", uuid, "Bull");
    row("shop:order:7:lock", uuid, "");
    row("lock:invoice", uuid1Hex, "");
    row("redbeat::lockers", uuid1Hex, "");
    row("my_unacked_mutexes", uuid1Hex, "");
}

void TestOwnerShape::partsOfLargerThings()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QTEST(lockPartOf(key, value), "library");
}

void TestOwnerShape::placesInNames()
{
    QCOMPARE(segmentAt("mutex:a", "mutex:"), 0);
    QCOMPARE(segmentAt("acme:mutex:a", "mutex:"), 5);
    QCOMPARE(segmentAt("{acme}mutex:a", "mutex:"), 6);
    QCOMPARE(segmentAt("notmutex:a", "mutex:"), -1);
    QCOMPARE(segmentAt("shop_database_a", "_database_"), 4);
    QCOMPARE(segmentAt("", "mutex:"), -1);
}

LK_TEST(TestOwnerShape);
#include "tst_ownershape.moc"
