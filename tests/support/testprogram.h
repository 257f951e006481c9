// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QTest>

namespace lk::test {

/// A test class of a program: test_unit_core runs that of tst_glob.cpp if its first argument is
/// tst_glob. Each stands in its source, by one of the macros below.
struct TestEntry
{
    using Run = int (*)(int argc, char** argv);

    /// Adds it to the program's table, by the name of its source.
    TestEntry(const char* source, Run run);
};

/// Runs a test class with an application of its own.
template<typename Application, typename Test> int runTest(int argc, char** argv)
{
    if constexpr (requires { Test::initMain(); })
        Test::initMain();
    Application app(argc, argv);
    app.setAttribute(Qt::AA_Use96Dpi);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace lk::test

/// The test class of a source.
#define LK_TEST(Test) LK_TEST_RUN((lk::test::runTest<QCoreApplication, Test>))
/// One that opens windows.
#define LK_WIDGET_TEST(Test) LK_TEST_RUN((lk::test::runTest<QApplication, Test>))
/// One with a main function of its own.
#define LK_TEST_RUN(Run) static const lk::test::TestEntry testEntry(__FILE__, Run)
