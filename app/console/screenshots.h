// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/console/console.h"

#include <QHash>
#include <QPointer>
#include <QTimer>

namespace lk {

class ActionDialog;
class BoardPage;

/// Takes a picture of every board, in light and dark colours, once the console has watched for a
/// while, then ends the program with an exit code. On the demo's own server, and nowhere else, it
/// also takes a step and shows its plan, its receipt and its journal entry.
class Screenshots final : public QObject
{
    Q_OBJECT

public:
    Screenshots(Console& console, const ConsoleInvocation& invocation, QObject* parent = nullptr);

    void start();

private:
    enum class Subject : quint8 { Board, Plan, Receipt };
    struct Shot
    {
        Subject subject;
        int board;
        ThemeChoice theme;
    };

    void onStatus(const ConnectionStatus& status);
    void prepare();
    void selectRow(BoardPage* page);
    void next();
    void openPlan();
    void take();
    QPixmap picture(const Shot& shot) const;
    void finish();
    void fail(const Error& error);

    Console& m_console;
    ConsoleInvocation m_invocation;
    std::vector<Shot> m_shots;
    size_t m_current = 0;
    QHash<BoardPage*, Handle> m_chosen; ///< the selected row of each board
    QPointer<ActionDialog> m_dialog;    ///< the step's, on the demo's server
    QTimer m_quiet;
    QTimer m_patience;
    bool m_prepared = false;
    bool m_ended = false;
};

} // namespace lk
