// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "tests/widgets/pseudolocale.h"
#include "widgets/main/navigation/navigationbar.h"
#include "widgets/theme/theme.h"

using namespace lk;
using test::ConsoleWindow;

/// Every board with texts 40 % longer, and mirrored for who reads from right to left.
class TestPseudoLocale : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        test::fillWithSamples(m_server);
        QVERIFY(QCoreApplication::installTranslator(&m_pseudo));
    }
    void cleanup() { QApplication::setLayoutDirection(Qt::LeftToRight); }

    void nothingIsClipped_data()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize& size : {QSize(960, 600), QSize(1280, 800), QSize(1920, 1080)})
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
    }
    void nothingIsClipped()
    {
        QFETCH(QSize, size);
        ConsoleWindow console(test::setupFor(m_server.url(), test::sampleConfig), size);
        QVERIFY(console.waitForScan(test::sampleCount));
        QStringList clipped;
        for (int board = test::Overview; board <= test::JournalBoard; ++board) {
            show(console, board);
            // The server's data changes meanwhile, and the layout follows a moment later.
            QStringList stays;
            (void)QTest::qWaitFor([&] {
                stays = test::clippedIn(console.window);
                return stays.isEmpty();
            });
            for (const QString& what : stays)
                clipped << QStringLiteral("board %1: ").arg(board) + what;
            test::shoot(console.window,
                        QStringLiteral("pseudo-%1-%2").arg(board).arg(size.width()));
        }
        clipped.removeDuplicates();
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
        QCOMPARE(console.window.width(), size.width());
    }

    void isMirrored()
    {
        QApplication::setLayoutDirection(Qt::RightToLeft);
        ConsoleWindow console(test::setupFor(m_server.url(), test::sampleConfig));
        QVERIFY(console.waitForScan(test::sampleCount));
        const auto leftOf = [&](QWidget& widget) {
            return widget.mapTo(&console.window, QPoint()).x();
        };
        auto* bar = console.window.findChild<NavigationBar*>();
        QVERIFY(bar);
        for (int board = test::Overview; board <= test::JournalBoard; ++board) {
            show(console, board);
            QWidget& page = *console.window.boards()[size_t(board)];
            QVERIFY2(leftOf(*bar) > leftOf(page), QByteArray::number(board).constData());
            if (auto* pane = page.findChild<QWidget*>(QStringLiteral("detailPane"));
                pane && pane->isVisible())
                QVERIFY(leftOf(*pane) < leftOf(console.table(board)));
            test::shoot(console.window, QStringLiteral("right-to-left-%1").arg(board));
        }
    }

private:
    void show(ConsoleWindow& console, int board)
    {
        console.press(Qt::Key(int(Qt::Key_1) + board), Qt::ControlModifier);
        if (board >= test::Limiters && board <= test::Patterns) {
            QTRY_VERIFY(!console.cells(board).isEmpty());
            console.page(board).selectFirst();
        }
        QTest::qWait(0);
    }

    test::PseudoTranslator m_pseudo;
    test::RedisServer m_server;
};

LK_WIDGET_TEST(TestPseudoLocale);
#include "tst_pseudolocale.moc"
