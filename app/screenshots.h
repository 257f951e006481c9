// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/console.h"

#include <QTimer>

namespace lk {

/// Takes a picture of every board, in light and dark colours, once the console has watched for a
/// while, then ends the program with an exit code.
class Screenshots final : public QObject
{
    Q_OBJECT

public:
    Screenshots(Console& console, const Invocation& invocation, QObject* parent = nullptr);

    void start();

private:
    struct Shot
    {
        int board;
        ThemeChoice theme;
    };

    void onStatus(const ConnectionStatus& status);
    void prepare();
    void next();
    void take();
    void finish();
    void fail(const Error& error);

    Console& m_console;
    Invocation m_invocation;
    std::vector<Shot> m_shots;
    size_t m_current = 0;
    QTimer m_settle;
    QTimer m_patience;
    bool m_prepared = false;
    bool m_ended = false;
};

} // namespace lk
