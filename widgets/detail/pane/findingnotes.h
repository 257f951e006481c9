// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"

#include <QWidget>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace lk {

/// The findings on one primitive, a line each with a link to the details. Shows the first few and
/// counts the rest. Hidden if there are none.
class FindingNotes final : public QWidget
{
    Q_OBJECT

public:
    explicit FindingNotes(QWidget* parent = nullptr);

    void show(const std::vector<LiveFindingPtr>& findings);

signals:
    void wanted(quint64 id);

private:
    struct Line
    {
        QWidget* row;
        QLabel* icon;
        QLabel* text;
        QToolButton* why;
        quint64 id = 0;
    };

    Line& line(size_t index);
    void updateIcons();

    QVBoxLayout* m_layout;
    QLabel* m_more;
    std::vector<LiveFindingPtr> m_shown;
    std::vector<Line> m_lines;
};

} // namespace lk
