// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace lk {

/// A titled part of a page.
class Section final : public QWidget
{
    Q_OBJECT

public:
    explicit Section(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setBody(QWidget* body);

private:
    QVBoxLayout* m_layout;
    QLabel* m_title;
};

} // namespace lk
