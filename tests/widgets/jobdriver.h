// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/actiondriver.h"
#include "widgets/detail/jobs/jobtable.h"

#include <QToolButton>

// Goes through the jobs of the selected queue like a user.
namespace lk::test {

inline JobTable& jobTable(ConsoleWindow& console)
{
    return *console.page(Queues).findChild<JobTable*>();
}

inline QToolButton* stateButton(ConsoleWindow& console, const QString& text)
{
    return ConsoleWindow::button<QToolButton>(console.page(Queues), text);
}

/// Shows the jobs of that state.
inline void chooseState(ConsoleWindow& console, const char* state)
{
    QTRY_VERIFY2(stateButton(console, QLatin1String(state)), state);
    QTest::mouseClick(stateButton(console, QLatin1String(state)), Qt::LeftButton);
}

} // namespace lk::test
