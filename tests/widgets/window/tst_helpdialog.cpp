// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/dialogshots.h"
#include "widgets/dialogs/helpdialog.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace lk;

namespace {

QList<KeyHint> keys()
{
    const auto hint = [](const char* group, const char* key, const char* text) {
        return KeyHint{QLatin1String(group), QKeySequence(QLatin1String(key)), QLatin1String(text)};
    };
    return {hint("Boards", "Ctrl+1", "Overview"),
            hint("Boards", "Ctrl+2", "Limiters"),
            hint("Boards", "Ctrl+3", "Locks"),
            hint("Boards", "Ctrl+4", "Queues"),
            hint("Boards", "Ctrl+5", "Tokens"),
            hint("Boards", "Ctrl+6", "Patterns"),
            hint("On a board", "Ctrl+F", "Filter by name"),
            hint("On a board", "Return", "Show the selected one in detail"),
            hint("On a board", "Esc", "Clear the filter, then the selection"),
            hint("Everywhere", "Space", "Pause and go on"),
            hint("Everywhere", "F5", "Scan all keys again, from the start"),
            hint("Everywhere", "Ctrl+Shift+N", "Connect to another server in a new window"),
            hint("Everywhere", "F1", "This page")};
}

QStringList labels(const QWidget& widget)
{
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        texts << label->text();
    return texts;
}

} // namespace

class TestHelpDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::theme().choose(ThemeChoice::Light); }

    void showsEveryKeyAndEachGroupOnce()
    {
        HelpDialog dialog(keys());
        const QStringList texts = labels(dialog);
        for (const KeyHint& key : keys()) {
            QCOMPARE(texts.count(key.text), 1);
            QCOMPARE(texts.count(key.group), 1);
        }
    }

    void tellsHowAChartIsMoved()
    {
        HelpDialog dialog(chartKeyHints());
        QStringList caps;
        for (const QWidget* cap : dialog.findChildren<QWidget*>())
            caps << cap->accessibleName();
        for (const char* cap : {"Ctrl+wheel", "Shift+wheel", "End", "Home", "Left", "Shift+F10"})
            QVERIFY2(caps.contains(QLatin1String(cap)), cap);
        QVERIFY(labels(dialog).join(QLatin1Char('\n')).contains(QStringLiteral("Back to live")));
    }

    void saysWhatItIsAndHowItLooks()
    {
        HelpDialog dialog({});
        const QString all = labels(dialog).join(QLatin1Char('\n'));
        QVERIFY(all.contains(QStringLiteral(LOCKKEEPER_VERSION)));
        QVERIFY(all.contains(QStringLiteral("GNU General Public License")));
        QVERIFY(all.contains(QStringLiteral("SCAN")));
    }

    void escapeAndReturnCloseIt()
    {
        for (const Qt::Key key : {Qt::Key_Escape, Qt::Key_Return}) {
            HelpDialog dialog(keys());
            dialog.show();
            QVERIFY(QTest::qWaitForWindowExposed(&dialog));
            QTest::keyClick(&dialog, key);
            QVERIFY(!dialog.isVisible());
        }
    }

    void pictures()
    {
        HelpDialog dialog(keys());
        test::shoot(dialog, QStringLiteral("help"));
        QVERIFY(test::clippedTexts(dialog).isEmpty());
    }
};

LK_WIDGET_TEST(TestHelpDialog);
#include "tst_helpdialog.moc"
