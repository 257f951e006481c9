// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/pace/slicelength.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

namespace {

constexpr int most = 500;

// A server at that distance that takes so long for a command, asked again and again.
SliceLength learned(double awayUs, double commandUs, int answers = 40)
{
    SliceLength length;
    for (int i = 0; i < answers; ++i) {
        length.answered(1, awayUs + commandUs);
        const int commands = 3 * length.names(100, most);
        length.answered(commands, awayUs + commands * commandUs);
    }
    return length;
}

} // namespace

class TestSliceLength : public QObject
{
    Q_OBJECT

private slots:
    void itKeepsToTheTime_data();
    void itKeepsToTheTime();
    void itIsShortUntilItKnows();
    void itShrinksWithASlowerServer();
    void boundsHold();
    void theWayIsNoWorkOfTheServers();
    void namesAreDivided_data();
    void namesAreDivided();
};

void TestSliceLength::itKeepsToTheTime_data()
{
    QTest::addColumn<double>("awayUs");
    QTest::addColumn<double>("commandUs");
    QTest::newRow("beside it") << 30.0 << 0.7;
    QTest::newRow("far away, where the way is no work of the server's") << 1800.0 << 0.7;
    QTest::newRow("slow") << 100.0 << 1.5;
}

void TestSliceLength::itKeepsToTheTime()
{
    QFETCH(double, awayUs);
    QFETCH(double, commandUs);
    const double busyUs = 3 * learned(awayUs, commandUs).names(100, most) * commandUs;
    QVERIFY2(busyUs > 70 && busyUs < 115, qPrintable(QString::number(busyUs)));
}

void TestSliceLength::itIsShortUntilItKnows()
{
    QCOMPARE(SliceLength().names(100, most), 13);
}

void TestSliceLength::itShrinksWithASlowerServer()
{
    SliceLength length = learned(50, 0.5);
    const int before = length.names(100, most);
    for (int i = 0; i < 20; ++i)
        length.answered(100, 50 + 100 * 2.0);
    QVERIFY(length.names(100, most) * 3 <= before);
}

void TestSliceLength::boundsHold()
{
    QCOMPARE(learned(50, 0.001).names(1e9, most), most);
    QCOMPARE(learned(50, 1000).names(50, most), 6);
    QCOMPARE(learned(50, 1000).names(1000, most), 40);     // a name takes no server so long
    QVERIFY(learned(40'000, 0.7).names(50, most) == most); // a twentieth of the way
    const int near = learned(300, 1).names(10, most);      // a fifth of it, up to 100 us
    QVERIFY2(near >= 18 && near <= 20, QByteArray::number(near).constData());
    const int farther = learned(1500, 1).names(10, most);
    QVERIFY2(farther >= 31 && farther <= 34, QByteArray::number(farther).constData());
    QCOMPARE(learned(50, 1000).names(50, 2), 2); // where names are megabytes long
    SliceLength length = learned(50, 1000);
    length.start();
    QCOMPARE(length.names(100, most), SliceLength().names(100, most));
}

// Else a scan of a server 20 ms away would pause for what only the way took.
void TestSliceLength::theWayIsNoWorkOfTheServers()
{
    SliceLength length = learned(20'000, 0.7);
    const double us = length.withoutWay(20'000 + 300 * 0.7);
    QVERIFY2(us > 200 && us < 220, qPrintable(QString::number(us)));
    QCOMPARE(length.withoutWay(10'000), 0.0);
}

void TestSliceLength::namesAreDivided_data()
{
    QTest::addColumn<double>("commandUs");
    QTest::addColumn<double>("longestUs");
    QTest::addColumn<int>("names");
    QTest::addColumn<int>("slices");
    QTest::newRow("as many as it may be") << 1.0 << 30.0 << 10 << 1;
    QTest::newRow("a few more are not worth another") << 1.0 << 30.0 << 14 << 1;
    QTest::newRow("of twice as many one each") << 1.0 << 30.0 << 20 << 2;
    QTest::newRow("each takes long") << 1000.0 << 20.0 << 7 << 7;
    QTest::newRow("none takes the server so long") << 1000.0 << 250.0 << 40 << 4;
    QTest::newRow("none") << 1.0 << 30.0 << 0 << 1;
}

void TestSliceLength::namesAreDivided()
{
    QFETCH(double, commandUs);
    QFETCH(double, longestUs);
    QFETCH(int, names);
    QFETCH(int, slices);
    QCOMPARE(learned(30, commandUs).slices(longestUs, names), slices);
}

LK_TEST(TestSliceLength);
#include "tst_slicelength.moc"
