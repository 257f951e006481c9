// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/sessionacting.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/actions/dialog/actiondialog.h"

#include <QCheckBox>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>

// Goes from a row to a receipt like a user, by clicks and keys.
namespace lk::test {

/// The board, with that row chosen and its pane shown.
inline bool openBoard(ConsoleWindow& console, int board, const QString& row,
                      qint64 primitives = sampleCount)
{
    if (!console.waitForScan(primitives))
        return false;
    console.window.showBoard(board);
    if (!QTest::qWaitFor([&] { return console.rowOf(board, row) >= 0; }, 10'000))
        return false;
    console.clickRow(board, row);
    return QTest::qWaitFor([&] { return console.detail(board).contains(row); }, 10'000);
}

inline bool enableWriteMode(ConsoleWindow& console)
{
    console.session().acting().enableWriteMode(300'000);
    return QTest::qWaitFor([&] { return console.session().acting().isWriteModeOn(); }, 5'000);
}

/// By keys, in the menu that is open or about to be.
inline void choose(const QString& text)
{
    QTRY_VERIFY(qobject_cast<QMenu*>(QApplication::activePopupWidget()));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    for (QAction* action : menu->actions()) {
        if (action->text() != text)
            continue;
        QVERIFY2(action->isEnabled(), qPrintable(action->toolTip()));
        menu->setActiveAction(action);
        QTest::keyClick(menu, Qt::Key_Return);
        return;
    }
    QFAIL(qPrintable(text));
}

/// By Ctrl+Return and the menu that it opens.
inline void act(ConsoleWindow& console, const QString& text)
{
    console.press(Qt::Key_Return, Qt::ControlModifier);
    choose(text);
}

/// The dialog; null while none is seen.
inline ActionDialog* dialog(ConsoleWindow& console)
{
    auto* found = console.window.findChild<ActionDialog*>();
    return found && found->isVisible() ? found : nullptr;
}

/// All that it says.
inline QString said(ConsoleWindow& console)
{
    return dialog(console) ? ConsoleWindow::texts(*dialog(console)) : QString();
}

inline QPushButton* button(ConsoleWindow& console, const QString& text)
{
    return dialog(console) ? ConsoleWindow::button<QPushButton>(*dialog(console), text) : nullptr;
}

/// The button that does it.
inline QPushButton* verb(ConsoleWindow& console)
{
    auto* found = dialog(console) ? dialog(console)->findChild<QPushButton*>(QStringLiteral("verb"))
                                  : nullptr;
    return found && found->isVisible() ? found : nullptr;
}

/// The receipt's title; empty while there is none.
inline QString receipt(ConsoleWindow& console)
{
    auto* title = dialog(console)
                      ? dialog(console)->findChild<QLabel*>(QStringLiteral("receiptTitle"))
                      : nullptr;
    return title && title->isVisible() ? title->text() : QString();
}

/// Runs the plan that is shown, or about to be; its receipt has to say that it succeeded.
inline void runPlan(ConsoleWindow& console)
{
    QTRY_VERIFY(verb(console) && verb(console)->isEnabled());
    QTest::mouseClick(verb(console), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!receipt(console).isEmpty(), 10'000);
    QVERIFY2(receipt(console) == QStringLiteral("Succeeded"), qPrintable(said(console)));
}

/// Types into a field, or ticks a box.
inline void fill(ConsoleWindow& console, const QString& name, const QString& text)
{
    auto* field = dialog(console)->findChild<QWidget*>(name);
    QVERIFY2(field && field->isVisible(), qPrintable(name));
    if (auto* box = qobject_cast<QCheckBox*>(field)) {
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Space);
        QVERIFY(box->isChecked());
        return;
    }
    field->setFocus();
    if (auto* line = qobject_cast<QLineEdit*>(field))
        line->selectAll();
    QTest::keyClicks(field, text);
}

} // namespace lk::test
