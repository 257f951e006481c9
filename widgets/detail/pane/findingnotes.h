// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"

#include <QWidget>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace lk {

/// What was found on one primitive, a line each with a way to all there is to say about it. Hidden
/// while there is nothing. The first few; the rest is counted.
class FindingNotes final : public QWidget
{
    Q_OBJECT

public:
    explicit FindingNotes(QWidget* parent = nullptr);

    void show(const std::vector<LiveFindingPtr>& findings);

signals:
    void wanted(quint64 id);

protected:
    void changeEvent(QEvent* event) override;

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
