// SPDX-License-Identifier: GPL-3.0-or-later
// The user's arrangement of the window, as kept for each deployment.
#include "widgets/main/mainwindow.h"

#include "backend/session/scanpaceid.h"
#include "widgets/board/board.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/deployments/deploymentspage.h"
#include "widgets/main/header/sessionheader.h"
#include "widgets/main/pinnedrows.h"
#include "widgets/main/windowmenus.h"

namespace lk {

namespace {

// In a view's state.
const QString boardKey = QStringLiteral("board");
const QString boardsKey = QStringLiteral("boards");
const QString geometryKey = QStringLiteral("geometry");
const QString themeKey = QStringLiteral("theme");
const QString intervalKey = QStringLiteral("polling-ms");
const QString paceKey = QStringLiteral("scan-pace");
const QString memoryKey = QStringLiteral("memory-limit"); // bytes
const QString deploymentsKey = QStringLiteral("deployments");
const QString pinsKey = QStringLiteral("pins");

} // namespace

QVariantMap MainWindow::viewState() const
{
    QVariantMap boards;
    for (const Board* board : m_boards) {
        if (const QVariantMap state = board->viewState(); !state.isEmpty())
            boards.insert(board->id(), state);
    }
    QVariantMap state{{boardKey, current()->id()},
                      {boardsKey, boards},
                      {geometryKey, saveGeometry()},
                      {intervalKey, m_header->pollingIntervalMs()},
                      {pinsKey, m_pinned->ids()}};
    if (const auto pace = m_menus->scanPace())
        state.insert(paceKey, scanPaceId(*pace));
    if (const auto bytes = m_menus->memoryLimit())
        state.insert(memoryKey, *bytes);
    if (const QVariantMap tables = arrangementsIn(*m_deployments); !tables.isEmpty())
        state.insert(deploymentsKey, tables);
    if (m_theme)
        state.insert(themeKey, themeId(*m_theme));
    return state;
}

void MainWindow::setViewState(const QVariantMap& state)
{
    restoreGeometry(state.value(geometryKey).toByteArray());
    const QVariantMap boards = state.value(boardsKey).toMap();
    for (int i = 0; i < boardCount(); ++i) {
        Board* board = m_boards[size_t(i)];
        board->setViewState(boards.value(board->id()).toMap());
        if (board->id() == state.value(boardKey).toString())
            showBoard(i);
    }
    m_header->setPollingIntervalMs(state.value(intervalKey).toInt());
    m_pinned->pin(state.value(pinsKey).toStringList());
    bool isLimit = false;
    const qint64 bytes = state.value(memoryKey).toLongLong(&isLimit);
    m_menus->setMemoryLimit(isLimit ? std::optional(bytes) : std::nullopt);
    setArrangementsIn(*m_deployments, state.value(deploymentsKey).toMap());
    m_menus->setScanPace(scanPaceOf(state.value(paceKey).toString()));
    m_theme = themeOfId(state.value(themeKey).toString());
    if (m_theme) {
        setThemeChoice(*m_theme);
        emit themeRestored(*m_theme);
    }
}

} // namespace lk
