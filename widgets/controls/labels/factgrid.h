// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;

namespace lk {

class BreakingLabel;

/// Labels and values in two columns. Values are monospace if they come from the server, and can be
/// selected. Labels keep their widgets from one update to the next.
class FactGrid final : public QWidget
{
    Q_OBJECT

public:
    /// One label and its value. mono: it comes from the server.
    struct Row
    {
        QString label;
        QString value;
        bool mono = false;

        bool operator==(const Row&) const = default;
    };

    explicit FactGrid(QWidget* parent = nullptr);

    void setRows(std::vector<Row> rows);
    const std::vector<Row>& rows() const { return m_rows; }

private:
    struct Line
    {
        QLabel* label;
        BreakingLabel* value;
    };

    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    std::vector<Line> m_lines;
};

} // namespace lk
