// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"
#include "tests/widgets/recordedconsole.h"
#include "widgets/charts/time/timechart.h"

using namespace lk;
using namespace lk::test;

/// Charts of primitives that were never on the screen, with so many that memory keeps only the
/// numbers of those on the screen.
class TestUnwatched : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void chartsShowWhatWasRecorded();

private:
    RedisServer m_server;
};

void TestUnwatched::chartsShowWhatWasRecorded()
{
    std::vector<Command> fill;
    for (int i = 0; i < 700; ++i)
        fill.push_back({"SET", "quota:" + QByteArray::number(1000 + i), "1", "PX", "3600000"});
    m_server.runAll(fill);
    RecordedConsole recorded(setupFor(m_server.url(), sampleConfig));
    ConsoleWindow& console = *recorded.console;
    QVERIFY(console.waitForScan(700));
    QTRY_VERIFY_WITH_TIMEOUT(recorded.history(), 15'000);
    console.window.showBoard(Limiters);
    console.filter(Limiters).setText(QStringLiteral("quota:1007"));
    QTRY_COMPARE(console.cells(Limiters), QStringList{QStringLiteral("quota:1007")});
    console.clickRow(Limiters, QStringLiteral("quota:1007"));
    const auto count = [&](qint64 forMs) {
        const qint64 fromMs = recorded.nowMs();
        int at = 0;
        return waitUntil([&] {
            if (++at % 20 == 0)
                m_server.line("INCR quota:1007");
            return recorded.nowMs() - fromMs > forMs;
        });
    };
    QVERIFY(count(4000));
    const qint64 awayMs = recorded.nowMs();
    console.window.showBoard(ServerBoard);
    QVERIFY(count(8000));
    const qint64 backMs = recorded.nowMs();
    QVERIFY(recorded.recordedUntil(backMs));
    console.window.showBoard(Limiters);
    const auto* chart = console.page(Limiters).findChild<TimeChart*>();
    QVERIFY(chart);
    // A line of the table beside the chart for each moment; without a number where there is none.
    const auto numbers = [&] {
        int known = 0;
        const QStringList lines = chart->csv().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        for (const QString& line : lines.mid(1)) {
            const QStringList cells = line.split(QLatin1Char(','));
            const qint64 tMs =
                QDateTime::fromString(cells.front(), Qt::ISODateWithMs).toMSecsSinceEpoch();
            if (tMs > awayMs + 1000 && tMs < backMs - 1000) {
                if (cells.back().isEmpty())
                    return -1;
                ++known;
            }
        }
        return known;
    };
    QVERIFY2(waitUntil([&] { return numbers() > 0; }, 30'000), qPrintable(chart->csv()));
    shoot(console.window, QStringLiteral("unwatched"));
}

LK_WIDGET_TEST(TestUnwatched);
#include "tst_unwatched.moc"
