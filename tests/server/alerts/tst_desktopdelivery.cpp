// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/alerts/alertteller.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Teller;

// Notifications of a desktop, which may have none.
class TestDesktopDelivery : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_place.begin(); }
    void whatIsNotShownIsTriedAgainAndTold();
    void whatIsNeverShownIsGivenUp();

private:
    static constexpr auto toml = "[[alert]]\nwhen = 'queue-stuck'\nnotify = ['desktop']\n";

    test::AlertPlace m_place;
};

void TestDesktopDelivery::whatIsNotShownIsTriedAgainAndTold()
{
    Teller teller(m_place, toml, true);
    teller.desktopProblem = u"no desktop notifications"_s;
    teller.keeper->test("desktop");
    QCOMPARE(teller.tested, QStringList{u"no desktop notifications"_s});
    teller.shown.clear();
    teller.find({"mail"});
    QTRY_COMPARE(teller.shown.size(), 1);
    teller.pass(100);
    QCOMPARE(teller.problem(), u"no desktop notifications"_s);
    QCOMPARE(teller.queued(), 1);
    teller.desktopProblem.clear();
    teller.pass(2000);
    QCOMPARE(teller.shown.size(), 2);
    QCOMPARE(teller.shown[0], teller.shown[1]);
    teller.pass(100);
    QCOMPARE(teller.queued(), 0);
    QCOMPARE(teller.problem(), QString());
    teller.keeper->test("desktop");
    QCOMPARE(teller.tested.back(), QString());
}

void TestDesktopDelivery::whatIsNeverShownIsGivenUp()
{
    Teller teller(m_place, toml, true);
    teller.desktopProblem = u"no desktop notifications"_s;
    teller.find({"mail"});
    for (int i = 0; i < 60 && teller.queued() != 0; ++i)
        teller.pass(20'000);
    QCOMPARE(teller.queued(), 0);
    QCOMPARE(teller.problem(), u"no desktop notifications"_s);
}

LK_TEST(TestDesktopDelivery);
#include "tst_desktopdelivery.moc"
