// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/unit/judgedalerts.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

// The stored alerts outlive a restart and a change of rules, and do not grow.
class TestAlertsKept : public QObject
{
    Q_OBJECT

private slots:
    void nothingFiresTwiceAfterARestart();
    void whatEndedMeanwhileIsResolved();
    void whatIsForgottenIsResolved();
    void rulesThatStayKeepWhatTheyKnow();
    void aYearOfFlappingStaysSmall();
    void tooManyAreCounted();
};

void TestAlertsKept::nothingFiresTwiceAfterARestart()
{
    const AlertSettings rules = settings("[[alert]]\nwhen = \"queue.ready > 5\"\n"
                                         "[[alert]]\nwhen = \"queue-stuck\"\n"
                                         "[[alert]]\nwhen = \"queue.dead > 0 in 10m\"\n");
    AlertEngine before("d", rules);
    before.apply(*delta(Handle(1), queue(9, 0)), start);
    before.apply(*delta(Handle(1), queue(9, 4)), start);
    before.setFindings(findings({"a"}), start);
    QCOMPARE(by(before, start).size(), 3);

    AlertEngine after("d", rules);
    after.restore(before.open());
    QCOMPARE(after.open().size(), size_t(3));
    QCOMPARE(by(after, start + second), QByteArrayList());
    after.setFindings({}, start + second); // nothing has been read yet
    QCOMPARE(by(after, start + second), QByteArrayList());
    after.apply(*delta(Handle(7), queue(9, 4)), start + 2 * second);
    after.setFindings(findings({"a"}), start + 3 * second);
    after.setScanned(start + 4 * second);
    QCOMPARE(by(after, start + 5 * second), QByteArrayList());
    QCOMPARE(after.open().size(), size_t(3));
    QCOMPARE(by(after, start + 11 * minute), QByteArrayList{"-mail:a"}); // what rose, long ago
    after.apply(*delta(Handle(7), queue(1, 4)), start + 12 * minute);
    after.setFindings({}, start + 12 * minute);
    QCOMPARE(by(after, start + 12 * minute), (QByteArrayList{"-a", "-mail:a"}));
}

void TestAlertsKept::whatEndedMeanwhileIsResolved()
{
    const AlertSettings rules = settings("[[alert]]\nwhen = \"queue.ready > 5\"\nfor = \"1m\"\n"
                                         "[[alert]]\nwhen = \"queue-stuck\"\n");
    AlertEngine before("d", rules);
    before.apply(*delta(Handle(1), queue(9)), start);
    before.setFindings(findings({"a"}), start);
    QCOMPARE(by(before, start + minute).size(), 2);
    AlertEngine after("d", rules);
    after.restore(before.open());
    after.setFindings({}, start + 2 * minute);
    after.setScanned(start + 2 * minute); // neither is there
    after.setFindings({}, start + 2 * minute);
    QCOMPARE(by(after, start + 2 * minute), QByteArrayList{"-a"});
    QCOMPARE(by(after, start + 3 * minute), QByteArrayList{"-mail:a"});

    AlertEngine otherRules("d", settings("[[alert]]\nwhen = \"queue.ready > 7\"\n"));
    otherRules.restore(before.open());
    QCOMPARE(by(otherRules, start + 3 * minute).size(), 2); // no rule asks for them any more
}

void TestAlertsKept::whatIsForgottenIsResolved()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.ready > 5\"\n"));
    engine.apply(*delta(Handle(1), queue(9)), start);
    engine.apply(*delta(Handle(2), queue(9, 0, "mail:b")), start);
    QCOMPARE(by(engine, start).size(), 2);
    engine.apply(*goneDelta(Handle(1)), start + second);
    QCOMPARE(by(engine, start + second), QByteArrayList{"-mail:a"});
    // Another primitive has its handle now; its end was not reported, as in an outage.
    engine.apply(*delta(Handle(2, 1), queue(0, 0, "mail:c")), start + 2 * second);
    QCOMPARE(by(engine, start + 2 * second), QByteArrayList{"-mail:b"});
}

void TestAlertsKept::rulesThatStayKeepWhatTheyKnow()
{
    const QByteArray stays = "[[alert]]\nwhen = \"queue.ready > 5\"\nfor = \"1m\"\n";
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.ready > 7\"\n" + stays));
    engine.apply(*delta(Handle(1), queue(9)), start);
    QCOMPARE(by(engine, start + 30 * second), QByteArrayList{"+mail:a"});
    engine.setSettings(settings(stays));
    QCOMPARE(by(engine, start + 31 * second), QByteArrayList{"-mail:a"});
    QCOMPARE(by(engine, start + minute), QByteArrayList{"+mail:a"});
    QCOMPARE(engine.open().front()->rule, QByteArray("queue.ready > 5"));
}

void TestAlertsKept::aYearOfFlappingStaysSmall()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.ready > 5\"\nfor = \"1m\"\n"
                                     "[[alert]]\nwhen = \"queue.dead > 5 in 1h\"\n"));
    qint64 fired = 0;
    qint64 resolved = 0;
    qint64 now = start;
    for (int hour = 0; hour < 365 * 24; ++hour, now += 60 * minute) {
        engine.apply(*delta(Handle(1), queue(hour % 2 ? 0 : 9, hour)), now);
        for (const AlertEvent& event : engine.advance(now))
            ++(event.type == Type::Fired ? fired : resolved);
        for (const AlertEvent& event : engine.advance(now + 10 * minute))
            ++(event.type == Type::Fired ? fired : resolved);
    }
    QCOMPARE(fired, 365 * 12);
    QCOMPARE(resolved, 365 * 12);
    QVERIFY(engine.open().empty());
}

void TestAlertsKept::tooManyAreCounted()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.ready > 5\"\n"));
    const int more = int(AlertEngine::mostOpen) + 3;
    for (int i = 0; i < more; ++i)
        engine.apply(*delta(Handle(quint32(i)), queue(9, 0, "q" + QByteArray::number(i))), start);
    QCOMPARE(engine.advance(start).size(), AlertEngine::mostOpen);
    QCOMPARE(engine.notKept(), 3);
    for (int i = 0; i < more; ++i)
        engine.apply(*delta(Handle(quint32(i)), queue(1, 0, "q" + QByteArray::number(i))), start);
    QCOMPARE(engine.advance(start).size(), AlertEngine::mostOpen);
    QCOMPARE(engine.notKept(), 0);
}

LK_TEST(TestAlertsKept);
#include "tst_alertskept.moc"
