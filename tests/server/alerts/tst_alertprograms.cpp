// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/store/alertdatabase.h"
#include "tests/server/alerts/alertteller.h"
#include "tests/support/hookserver.h"
#include "tests/support/testprogram.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace lk;
using namespace Qt::StringLiterals;
using test::eventOf;
using test::hook;
using test::HookServer;
using test::Teller;

namespace {

constexpr int patience = 30'000; // milliseconds, on a machine that has much to do

} // namespace

// Several programs, one after the other and side by side, that keep the same alerts in one file:
// each receiver is notified once.
class TestAlertPrograms : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_place.begin(); }
    void theQueueOutlivesTheProgram();
    void ofTwoProgramsOneTells();
    void acknowledgedAndSilencedByAnother();
    void withoutTheFileAlertsAreToldAllTheSame();
    void aFileOfTheFutureIsLeftAlone();
    void theDesktopIsToldOnce();
    void aServiceWithoutADesktopKeepsNothingForIt();

private:
    test::AlertPlace m_place;
};

void TestAlertPrograms::theQueueOutlivesTheProgram()
{
    HookServer server;
    QVERIFY(server.listen());
    const quint16 port = server.port();
    server.close();
    {
        Teller teller(m_place, hook(port));
        teller.find({"mail"});
        QTRY_VERIFY_WITH_TIMEOUT(
            (teller.keeper->everySecond(), teller.problem() == u"connection refused"_s), patience);
        QCOMPARE(teller.queued(), 1);
    }
    QVERIFY(server.listen(port));
    m_place.clock.advance(10'000);
    Teller teller(m_place, hook(port));
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QCOMPARE(eventOf(server.requests().front()), QByteArray("fired"));
    QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), teller.queued() == 0), patience);
    teller.pass(60'000);
    QCOMPARE(server.requests().size(), size_t(1));
}

void TestAlertPrograms::ofTwoProgramsOneTells()
{
    HookServer server;
    QVERIFY(server.listen());
    auto first = std::make_unique<Teller>(m_place, hook(server.port()));
    Teller second(m_place, hook(server.port()));
    first->find({"mail"});
    second.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QTRY_VERIFY_WITH_TIMEOUT((second.keeper->everySecond(), second.alerts->open.size() == 1),
                             patience);
    QVERIFY(first->alerts->raisedHere);
    QVERIFY(!second.alerts->raisedHere);
    QTRY_VERIFY_WITH_TIMEOUT((first->keeper->everySecond(), first->queued() == 0), patience);
    first.reset();
    second.pass(60'000);
    QVERIFY(second.alerts->raisedHere);
    second.pass(60'000);
    QCOMPARE(server.requests().size(), size_t(1));
    second.find({});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
    QCOMPARE(eventOf(server.requests().back()), QByteArray("resolved"));
}

void TestAlertPrograms::acknowledgedAndSilencedByAnother()
{
    HookServer server;
    QVERIFY(server.listen());
    Teller raising(m_place, hook(server.port()));
    Teller reading(m_place, hook(server.port()));
    Silence silence;
    silence.match = "jobs";
    silence.by = u"ann"_s;
    silence.reason = u"known"_s;
    reading.keeper->silence(silence);
    raising.keeper->everySecond();
    QCOMPARE(raising.alerts->silences.size(), size_t(1));
    QCOMPARE(raising.alerts->silences.front().reason, u"known"_s);
    raising.find({"jobs", "mail"});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QCOMPARE(raising.alerts->open.size(), size_t(2));
    reading.keeper->everySecond();
    QCOMPARE(reading.alerts->open.size(), size_t(2));
    QCOMPARE(reading.alerts->unattended(test::AlertPlace::startMs).count, 1);
    QByteArrayList ids;
    for (const AlertPtr& alert : reading.alerts->open)
        ids << alert->id;
    reading.keeper->acknowledge(ids, u"ann@desk"_s);
    raising.keeper->everySecond();
    for (const AlertPtr& alert : raising.alerts->open)
        QCOMPARE(alert->acknowledgedBy, u"ann@desk"_s);
    QCOMPARE(raising.alerts->unattended(test::AlertPlace::startMs).count, 0);
    reading.keeper->endSilence(reading.alerts->silences.front().id);
    raising.pass(60'000);
    QVERIFY(raising.alerts->silences.empty());
    raising.pass(60'000);
    QCOMPARE(server.requests().size(), size_t(1)); // who acknowledged it need not be told
}

void TestAlertPrograms::withoutTheFileAlertsAreToldAllTheSame()
{
    HookServer server;
    QVERIFY(server.listen());
    QFile plain(m_place.folder.filePath(u"plain"_s));
    QVERIFY(plain.open(QIODevice::WriteOnly));
    m_place.file = plain.fileName() + u"/alerts.db"_s; // no folder
    Teller teller(m_place, hook(server.port()));
    teller.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QVERIFY(teller.alerts->problem.has_value());
    QVERIFY(teller.alerts->problem->detail.contains(m_place.file));
    QCOMPARE(teller.alerts->open.size(), size_t(1));
}

void TestAlertPrograms::aFileOfTheFutureIsLeftAlone()
{
    {
        AlertDatabase database(m_place.file);
        QVERIFY(database.open().has_value());
        QVERIFY(database.run("PRAGMA user_version = 99").has_value());
    }
    AlertDatabase database(m_place.file);
    const Result<void> opened = database.open();
    QVERIFY(!opened.has_value());
    QVERIFY(opened.error().detail.contains(u"another version"_s));
}

void TestAlertPrograms::theDesktopIsToldOnce()
{
    const QByteArray toml = "[[alert]]\nwhen = 'queue-stuck'\n";
    Teller headless(m_place, toml); // raises them, but cannot show them
    Teller window(m_place, toml, true);
    Teller another(m_place, toml, true);
    headless.find({"mail"});
    window.keeper->everySecond();
    another.keeper->everySecond();
    QCOMPARE(window.shown.size() + another.shown.size(), 1);
    const QByteArray json = (window.shown + another.shown).front();
    QCOMPARE(QJsonDocument::fromJson(json)[u"event"_s].toString(), u"fired"_s);
    headless.find({});
    headless.pass(20'000);
    m_place.clock.advance(3'600'000); // old alerts are not shown
    window.keeper->everySecond();
    QCOMPARE(window.shown.size() + another.shown.size(), 1);
}

// `record` on a server, which raises them for years, while the default is to tell the desktop.
void TestAlertPrograms::aServiceWithoutADesktopKeepsNothingForIt()
{
    Teller headless(m_place, "[[alert]]\nwhen = 'queue-stuck'\n");
    headless.find({"mail"});
    QCOMPARE(headless.queued(), 1);
    for (int hour = 0; hour < 27; ++hour) {
        headless.find({hour % 2 ? "mail" : "jobs"});
        headless.pass(3'600'000);
    }
    const qint64 oneDay = headless.queued();
    QVERIFY(oneDay > 20);
    for (int i = 0; i < 3600; ++i) // it looks once an hour
        headless.pass(1000);
    for (int hour = 0; hour < 50; ++hour) {
        headless.find({hour % 2 ? "mail" : "jobs"});
        headless.pass(3'600'000);
    }
    for (int i = 0; i < 3700; ++i)
        headless.pass(1000);
    QVERIFY2(headless.queued() <= 70, QByteArray::number(headless.queued()).constData());
}

LK_TEST(TestAlertPrograms);
#include "tst_alertprograms.moc"
