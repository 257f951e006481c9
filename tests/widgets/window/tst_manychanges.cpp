// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/overview/summarylist.h"

using namespace lk;
using namespace Qt::StringLiterals;
using test::ConsoleWindow;
using test::waitUntil;

namespace {

constexpr int locks = 400;

} // namespace

// More changes than the console may read on this server: what is shown then is said to be an
// estimate, and how old it is.
class TestManyChanges : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        writeAll();
        Session::Setup setup =
            test::setupFor(m_server.url(), "[[lock]]\nkey = \"lock:*\"\nlayout = \"set-nx-px\"\n");
        setup.limits.otherCommandsPerSecond = 60;
        setup.limits.scanCommandsPerSecond = 0;
        m_console = std::make_unique<ConsoleWindow>(std::move(setup));
        QVERIFY(m_console->waitForScan(locks));
        QVERIFY(waitUntil([&] { return !m_console->session().report().isBehind(); }, 60'000));
    }
    void cleanupTestCase() { m_console.reset(); }

    void areSaidToBeEstimates();
    void areExactAgainAfterwards();

private:
    /// Each lock gets another owner, and no end: all of them need attention.
    void writeAll()
    {
        std::vector<Command> commands;
        for (int i = 0; i < locks; ++i)
            commands.push_back(
                {"SET", "lock:" + QByteArray::number(i), "owner-" + QByteArray::number(++m_owner)});
        m_server.runAll(commands);
    }
    Board& overview() { return *m_console->window.boards()[test::Overview]; }
    QString shown() { return ConsoleWindow::texts(overview()); }
    /// The texts that a screen reader reads for the first list's items.
    QStringList items()
    {
        QStringList all;
        for (const auto* list : overview().findChildren<SummaryList*>()) {
            for (int row = 0; row < list->model()->rowCount(); ++row)
                all << list->model()->index(row, 0).data(Qt::AccessibleTextRole).toString();
        }
        return all;
    }

    test::RedisServer m_server;
    std::unique_ptr<ConsoleWindow> m_console;
    int m_owner = 0;
};

void TestManyChanges::areSaidToBeEstimates()
{
    QVERIFY(!shown().contains(u'\u2248'));
    QTimer writing;
    writing.callOnTimeout([this] { writeAll(); });
    writing.start(200);
    QVERIFY(waitUntil([&] { return shown().contains(u'\u2248'); }, 20'000));
    QVERIFY2(shown().contains(u"Needs attention (\u2248 "_s), qPrintable(shown()));
    QStringList tips;
    for (const QLabel* label : overview().findChildren<QLabel*>())
        tips << label->toolTip();
    QVERIFY2(!tips.filter(u"An estimate: "_s).isEmpty(), qPrintable(tips.join(u'\n')));
    QVERIFY2(waitUntil([&] { return !items().filter(u", read "_s).isEmpty(); }, 20'000),
             qPrintable(items().join(u'\n')));
    test::shoot(m_console->window, u"behind"_s);
}

void TestManyChanges::areExactAgainAfterwards()
{
    QVERIFY2(waitUntil([&] { return !shown().contains(u'\u2248'); }, 60'000), qPrintable(shown()));
    QVERIFY(items().filter(u", read "_s).isEmpty());
    // The last change of all is what stands there now.
    m_console->window.showBoard(test::Locks);
    QVERIFY(waitUntil([&] { return m_console->rowOf(test::Locks, u"lock:0"_s) >= 0; }));
    m_console->clickRow(test::Locks, u"lock:0"_s);
    QVERIFY(waitUntil(
        [&] {
            return m_console->detail(test::Locks).contains(u"owner-%1"_s.arg(m_owner - locks + 1));
        },
        10'000));
}

LK_WIDGET_TEST(TestManyChanges);
#include "tst_manychanges.moc"
