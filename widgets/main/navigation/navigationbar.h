// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QButtonGroup;
class QVBoxLayout;

namespace lk {

class Board;

/// The boards down the left side, each with its count and the worst state on it.
class NavigationBar final : public QWidget
{
    Q_OBJECT

public:
    explicit NavigationBar(QWidget* parent = nullptr);

    /// Below those that are there; its badge is followed. Not owned.
    void addBoard(const Board* board, const QString& shortcut);
    void setCurrent(int board); ///< by its place; -1: none is in front
    int current() const;

signals:
    void chosen(int board);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup* m_buttons; ///< a board's place is its button's id
    QVBoxLayout* m_layout;
};

} // namespace lk
