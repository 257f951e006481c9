// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QVBoxLayout;

namespace lk {

/// A flat surface with a thin border and a title: one subject of a page.
class Panel final : public QFrame
{
    Q_OBJECT

public:
    explicit Panel(const QString& title, QWidget* body, QWidget* parent = nullptr);

    void setTitle(const QString& title);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_title;
};

} // namespace lk
