// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <QWidget>

class QButtonGroup;
class QVBoxLayout;

namespace lk {

/// The boards down the left side, each with its count and the worst state on it.
class NavigationBar final : public QWidget
{
    Q_OBJECT

public:
    explicit NavigationBar(QWidget* parent = nullptr);

    /// Returns the board's index. iconName: of our own set.
    int addBoard(const QString& iconName, const QString& title, const QString& shortcut);
    /// count below 0: none is shown.
    void setCount(int board, qint64 count, Health worst);
    void setFindings(int board, qint64 count, std::optional<Finding::Severity> worst);
    void setCurrent(int board);
    int current() const;

signals:
    void chosen(int board);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup* m_buttons;
    QVBoxLayout* m_layout;
};

} // namespace lk
